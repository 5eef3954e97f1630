/** The agent's files: the system lists all of them for each Lisp, and no two files define the same name. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '../../resources/lisp');

const LISPS = ['sbcl', 'ecl', 'abcl', 'ccl'];

/** Kinds of names that top-level forms define: a function, a variable or a type. */
const SPACES: Record<string, string> = {
  defun: 'function',
  defmacro: 'function',
  defgeneric: 'function',
  'define-implementation': 'function',
  defvar: 'variable',
  defparameter: 'variable',
  defconstant: 'variable',
  defstruct: 'type',
  defclass: 'type',
  deftype: 'type',
  'define-condition': 'type',
};

/** A definition for some Lisps only has a feature expression on the line before. */
const DEFINITION = /(?<!#[+-].*\n)^\((def[\w-]+) \(?((?:setf )?[^\s()]+)/gm;

const DECLARATION = /^\(define-(?:macro-)?interface (\(setf \S+\)|\S+) .*\n {2}"[^"]*"(\)?)/gm;
const IMPLEMENTATION = /^\(define-implementation (\(setf \S+\)|\S+)/gm;

const textOf = (name: string) => readFileSync(path.join(FOLDER, `${name}.lisp`), 'utf8');

/** The files that this Lisp loads according to the system. */
function filesOf(lisp: string): string[] {
  const list = readFileSync(path.join(FOLDER, 'lisp-harbor-agent.asd'), 'utf8');
  return [...list.matchAll(/(?:#([+-])(\w+) )?\(:file "([^"]+)"\)/g)].flatMap(
    ([, sign, feature, name = '']) =>
      sign === undefined || (sign === '+') === (feature === lisp) ? [name] : [],
  );
}

/** The names that the text defines, each with its namespace. */
function definitionsIn(text: string): string[] {
  return [...text.matchAll(DEFINITION)].flatMap(([, operator = '', name = '']) => {
    const space = SPACES[operator];
    return space === undefined ? [] : [`${space} ${name}`];
  });
}

/** The functions and macros that the text calls or references, as far as its operators show. */
function operatorsIn(text: string): Set<string> {
  const code = text.replaceAll(/"(\\.|[^"\\])*"/gs, '""').replaceAll(/;.*/g, '');
  return new Set([...code.matchAll(/(?:\(|#')([^\s()'#]+)/g)].map(([, name = '']) => name));
}

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

it('lists every file of the folder', () => {
  const found = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.lisp') && file !== 'build.lisp' && !file.startsWith('acl2/'))
    .map((file) => file.replace(/\.lisp$/, ''));
  expect([...new Set(LISPS.flatMap(filesOf))].toSorted()).toEqual(found.toSorted());
});

describe.each(LISPS)('what %s loads', (lisp) => {
  const files = filesOf(lisp);

  it('is listed once, and for SBCL or the others where marked', () => {
    expect(files.length).toBeGreaterThan(35);
    expect(repeated(files)).toEqual([]);
    const foreign = lisp === 'sbcl' ? 'portable/' : 'sbcl/';
    expect(files.filter((file) => file.startsWith(foreign))).toEqual([]);
  });

  it('defines each name once', () => {
    const names = files.flatMap((file) => definitionsIn(textOf(file)));
    expect(names.length).toBeGreaterThan(200);
    expect(repeated(names)).toEqual([]);
  });
});

it('requires from a Lisp only what the interface declares', () => {
  const files = filesOf('sbcl');
  const shared = files.filter((file) => !file.startsWith('sbcl/')).map(textOf);
  const declared = [...textOf('backend').matchAll(DECLARATION)].map(([, name = '']) => name);
  const own = files
    .filter((file) => file.startsWith('sbcl/'))
    .flatMap((file) => definitionsIn(textOf(file)))
    .filter((definition) => definition.startsWith('function '))
    .map((definition) => definition.slice('function '.length));
  expect(own.length).toBeGreaterThan(400);
  const asked = new Set(shared.flatMap((text) => [...operatorsIn(text)]));
  expect(declared.filter((name) => asked.has(name)).length).toBeGreaterThan(60);
  expect(own.filter((name) => asked.has(name) && !declared.includes(name))).toEqual([]);
});

// CCL cannot be built here and imports none of these names.
it('is implemented for CCL where there is no default', () => {
  const texts = filesOf('ccl').map(textOf);
  const declared = texts.flatMap((text) => [...text.matchAll(DECLARATION)]);
  const without = declared.filter(([, , end]) => end === ')').map(([, name]) => name);
  expect(declared.length).toBeGreaterThan(70);
  expect(without.length).toBeGreaterThan(40);
  const implemented = texts.flatMap((text) => [...text.matchAll(IMPLEMENTATION)].map(([, name]) => name));
  expect(without.filter((name) => !implemented.includes(name))).toEqual([]);
});
