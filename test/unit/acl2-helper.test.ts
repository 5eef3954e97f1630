/** The helper inside ACL2 as files: all of them are loaded, and none takes a name away from another, which no Lisp would tell. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '../../resources/lisp/acl2');

const DEFINITION =
  /^ *\((?:defun|defmacro|defvar|defparameter|defconstant|defstruct|defclass) \(?([^\s()]+)/gm;

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.lisp'));

function textOf(file: string): string {
  return readFileSync(path.join(FOLDER, file), 'utf8');
}

it('defines each name once', () => {
  const names = files.flatMap((file) => [...textOf(file).matchAll(DEFINITION)].map(([, name]) => name));
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('is loaded whole', () => {
  const [, list = ''] = /\(dolist \(name '\(([^)]*)\)\)/.exec(textOf('load.lisp')) ?? [];
  const loaded = [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => `${name}.lisp`);
  expect(loaded.toSorted()).toEqual(files.filter((file) => file !== 'load.lisp').toSorted());
});
