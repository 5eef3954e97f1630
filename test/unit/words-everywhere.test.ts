/**
 * No text of the window stands in its code: all come from the catalogue. What is looked for in each file of the window and of
 * the shell is what reads as a text: words between tags, in attributes that people see or hear, and sentences anywhere.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What reads as a text and is none, or is the same in every language. */
const ALLOWED = new Set([
  // Names, units, and code as examples.
  ...['Lisp Harbor', 'MiB', 'kB', 'Authorization: Bearer …', 'M-x slime-connect', 'M-:'],
  ...['read-string, oslib', 'genworks/gendl:latest', '/home/me/lisp:/lisp'],
  ...['lein repl :headless :port 7888', 'lisp-harbor serve --lisply-port 9081'],
  // CSS, places, and keys under which something is remembered.
  ...['main input[type=search]', 'bottom end', 'bottom start'],
  ...['1px solid var(--line-strong)', '0 6px 20px var(--shadow)'],
  ...['changes of', 'definitions of', 'checkpoints of'],
  // What engines call kinds of values and facts of them.
  ...['hash table', 'element type'],
  // Main's words, which agents, logs, files and terminals have as well.
  ...['no sandbox on this system', 'the user restarted it', 'final check of'],
  ...[
    'Only the window of the app itself may call.',
    'There is no call named',
    'not valid',
    'not found',
    "The window's call",
  ],
  ...['Starting at login could not be changed', 'characters of output not shown]'],
  ...['reason unknown'],
  'Comment=Lisp images for people and their AI agents',
]);

/** Attributes and properties whose text people see or hear. */
const SHOWN =
  /^(?:aria-label|label|title|about|placeholder|alt|confirm|heading|what|word|verb|text|message|detail|body|tooltip)$/;

type Tree = { readonly type: string; readonly [part: string]: unknown };

it('comes from the catalogue', () => {
  const files = ['renderer', 'electron/shell'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test|\.d)\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(textsIn)).toEqual([]);
});

/** Each as `file: text`. */
function textsIn(file: string): string[] {
  const { program, errors } = parseSync(file, readFileSync(path.join(ROOT, file), 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be read.`);
  const texts = found(program as unknown as Tree, false).map((text) => text.trim().replace(/\s+/g, ' '));
  return texts.filter((text) => /\p{L}/u.test(text) && !ALLOWED.has(text)).map((text) => `${file}: ${text}`);
}

/** @param shown whether a text here is one that people see, however short it is */
function found(node: Tree, shown: boolean): string[] {
  if (isPassedOver(node)) return [];
  const text = textOf(node);
  if (text !== null) return shown || node.type === 'JSXText' || isSentence(text) ? [text] : [];
  return partsOf(node).flatMap((part) => found(part, isShown(node, part, shown)));
}

/** Imports, types, and what is thrown, which is told to nobody but developers. */
function isPassedOver({ type, callee }: Tree): boolean {
  if (/^(?:Import|ExportAll|TSType|TSInterface|ThrowStatement)/.test(type)) return true;
  return type === 'NewExpression' && /Error$/.test(String((callee as Tree).name));
}

function textOf({ type, value }: Tree): string | null {
  if (type === 'TemplateElement') return (value as { cooked: string }).cooked;
  return (type === 'Literal' || type === 'JSXText') && typeof value === 'string' ? value : null;
}

function isShown(node: Tree, part: Tree, shown: boolean): boolean {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return part.type === 'JSXExpressionContainer';
    case 'JSXAttribute':
      return part === node.value && SHOWN.test(String((node.name as Tree).name));
    case 'Property':
      return part === node.value && SHOWN.test(String((node.key as Tree).name));
    case 'ConditionalExpression':
      return shown && part !== node.test;
    case 'JSXExpressionContainer':
    case 'LogicalExpression':
    case 'TemplateLiteral':
      return shown;
    default:
      return false;
  }
}

/** Two words beside each other. */
function isSentence(text: string): boolean {
  return /\p{L}{2,} \p{Ll}{2,}/u.test(text);
}

function partsOf(node: Tree): Tree[] {
  return Object.values(node)
    .flat()
    .filter((part): part is Tree => typeof part === 'object' && part !== null && 'type' in part);
}
