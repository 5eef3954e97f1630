/** Inspects values of a Swank server with Swank's own inspector (resources/swank/inspection.lisp). */

import { HarborError } from '../../contract/errors';
import type { Fact, Inspection, InspectStart, Part, PathStep } from '../../contract/inspection';
import type { Inspector, InspectRequest } from '../optional-groups';
import type { SwankQueries } from './queries';
import { elementsOf, isSymbol, lispCall, type Sexp, textOf } from './sexp';

/** Default number of parts in one answer. */
const USUAL_PARTS = 50;
/** Number of parts to name in the error for an unknown part. */
const NAMED = 20;

export class SwankInspector implements Inspector {
  readonly #questions: SwankQueries;
  readonly #package: () => string;

  constructor(questions: SwankQueries, packageName: () => string) {
    this.#questions = questions;
    this.#package = packageName;
  }

  async inspect({ start, path, offset, limit = USUAL_PARTS }: InspectRequest): Promise<Inspection> {
    let object = await this.#start(start);
    for (const step of path) {
      const { parts } = await this.#look(object);
      object = await this.#number(
        lispCall('lisp-harbor.swank:part-object', object, partAt(parts, step).number),
      );
    }
    const { kind, type, text, facts, parts, known } = await this.#look(object);
    const shown = parts.slice(offset, offset + limit).map((part, index): Part => {
      const number = known.get(part.number);
      const named = { index: offset + index, name: part.name, text: part.text };
      return number === undefined ? named : { ...named, object: number };
    });
    return { object, kind, type, text, facts, parts: shown, offset, total: parts.length };
  }

  /** @throws HarborError `not_supported` */
  settingCode(): string {
    throw new HarborError(
      'not_supported',
      "Swank's inspector cannot set parts. Evaluate (setf …) with the place itself.",
    );
  }

  #start(start: InspectStart): Promise<number> {
    if ('object' in start) return Promise.resolve(start.object);
    if ('last' in start) return this.#number(lispCall('lisp-harbor.swank:last-object'));
    return this.#number(lispCall('lisp-harbor.swank:kept-object', start.evaluation));
  }

  async #number(question: Sexp): Promise<number> {
    const number = await this.#query(question);
    if (typeof number === 'number') return number;
    throw new HarborError('query_failed', 'The server returned something that is not an object number.');
  }

  async #look(object: number) {
    const [kind, type, text, items, known] = elementsOf(
      await this.#query(lispCall('lisp-harbor.swank:inspection', object)),
    );
    return {
      kind: textOf(kind)?.toLowerCase() ?? '',
      type: textOf(type) ?? '',
      text: textOf(text) ?? '',
      ...contentOf(elementsOf(items)),
      known: new Map(elementsOf(known).map((pair) => numbersOf(pair))),
    };
  }

  #query(question: Sexp): Promise<Sexp> {
    return this.#questions.query(question, { package: this.#package() });
  }
}

function numbersOf(pair: Sexp): [number, number] {
  const [part, number] = elementsOf(pair);
  return [Number(part), Number(number)];
}

/** @throws HarborError `unknown_part` */
function partAt(parts: readonly ContentPart[], step: PathStep): ContentPart {
  const part = typeof step === 'number' ? parts[step] : parts.find(({ name }) => name === step);
  if (part) return part;
  const names = parts.slice(0, NAMED).map(({ name }) => name);
  const more = parts.length > NAMED ? ', …' : '';
  throw new HarborError(
    'unknown_part',
    `There is no part ${step} here. There are ${parts.length}: ${names.join(', ')}${more}.`,
  );
}

/**
 * A part of an inspected object. Swank sends text with values in it (`prepare-part` in swank.lisp): a value
 * becomes a part, named by the text before it on its line; a line without a value becomes a fact.
 */
interface ContentPart {
  name: string;
  text: string;
  /** The server's number for it while it shows this object. */
  number: number;
}

interface Content {
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

/** Skips actions such as "[clear hashtable]", which are for mouse users. */
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

/** `0: ` becomes `0` and `NAME  = ` becomes `NAME`; the line of a slot begins with a mark, `[ ]`. */
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
