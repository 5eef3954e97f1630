/**
 * What Swank's inspector shows of an object, as parts and facts. Swank sends text with values in it (`prepare-part` in
 * swank.lisp). A value is a part, named by the text before it on its line; a line without a value is a fact.
 */
import type { Fact } from '../../contract/inspection';
import { elementsOf, isSymbol, type Sexp, textOf } from './sexp';

export interface ContentPart {
  name: string;
  text: string;
  /** By which the server knows it while it shows this object. */
  number: number;
}

export interface Content {
  parts: ContentPart[];
  facts: Fact[];
}

type Piece = { text: string } | { part: string; number: number };

export function contentOf(items: readonly Sexp[]): Content {
  const content: Content = { parts: [], facts: [] };
  for (const line of linesOf(items)) addLine(line, content);
  return content;
}

function linesOf(items: readonly Sexp[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const item of items) {
    const piece = pieceOf(item);
    if ('part' in piece) lines.at(-1)?.push(piece);
    else {
      const [first = '', ...rest] = piece.text.split('\n');
      lines.at(-1)?.push({ text: first });
      for (const text of rest) lines.push([{ text }]);
    }
  }
  return lines;
}

/** Actions, such as "[clear hashtable]", are for people with a mouse. */
function pieceOf(item: Sexp): Piece {
  if (typeof item === 'string') return { text: item };
  const [kind, text, number] = elementsOf(item);
  if (isSymbol(kind, ':value') && typeof number === 'number') return { part: textOf(text) ?? '', number };
  return { text: isSymbol(kind, ':label') ? (textOf(text) ?? '') : '' };
}

function addLine(line: readonly Piece[], { parts, facts }: Content): void {
  let name = '';
  let found = false;
  for (const piece of line) {
    if ('text' in piece) name += piece.text;
    else {
      parts.push({ name: named(name) || String(parts.length), text: piece.part, number: piece.number });
      found = true;
      name = '';
    }
  }
  const text = name.trim();
  if (!found && !/^-*$/.test(text)) facts.push(factOf(text));
}

/** `0: ` and `NAME  = ` are `0` and `NAME`; a slot's line begins with its mark, `[ ]`. */
function named(text: string): string {
  return text
    .trim()
    .replace(/^\[.\]\s*/, '')
    .replace(/[:=]$/, '')
    .trim();
}

function factOf(text: string): Fact {
  const [, name, rest] = /^([^:]{1,40}):\s+(\S[\s\S]*)$/.exec(text) ?? [];
  return name === undefined || rest === undefined ? { name: '', text } : { name, text: rest };
}
