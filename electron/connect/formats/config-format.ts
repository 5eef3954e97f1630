/** The interface of a configuration format, which edits one entry in files of other programs. Pure. */

import type { Node } from 'jsonc-parser';
import { HarborError } from '../../contract/errors';
import { positionIn } from '../../host/strict-json';

/**
 * Location of the entry: `file` is for messages only, `keyPath` leads to the servers, `name` is our entry’s
 * key.
 */
export interface Spot {
  file: string;
  keyPath: readonly string[];
  name: string;
}

export type Entry = Readonly<Record<string, unknown>>;

/**
 * Text to text, including a byte order mark. All methods throw HarborError `config_unreadable` if the program
 * could not parse the text or the key path does not lead to servers.
 */
export interface ConfigFormat {
  /** Returns the entry’s value; undefined if there is none. */
  read(text: string, spot: Spot): unknown;
  /** Reports whether the servers’ key exists, even if it is empty. */
  hasServers(text: string, spot: Spot): boolean;
  /** Adds the entry after its siblings in their layout, or replaces its value in place. */
  upsert(text: string, spot: Spot, entry: unknown): string;
  /** Removes an entry; `prune` also removes the servers’ key if nothing else is in it. */
  remove(text: string, spot: Spot, prune: boolean): string;
  /**
   * Returns everything but the entry and the empty containers around it, verbatim. It is equal before and
   * after an edit.
   */
  rest(text: string, spot: Spot): string;
}

/** @param body the text without its byte order mark; `offset` counts from its start */
export function unreadable(spot: Spot, body: string, offset: number, description: string): HarborError {
  return new HarborError(
    'config_unreadable',
    `${spot.file}, ${positionIn(body, offset)}: ${description}. The file was left as it is. Correct it and try again.`,
  );
}

/** Replaces the text at [from, to) by `text`. */
export interface TextEdit {
  from: number;
  to: number;
  text: string;
}

/**
 * Applies edits and preserves the rest of the text.
 * @param edits non-overlapping, in any order; of two at one offset the first is inserted first
 */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(at, edit.from), edit.text);
    at = edit.to;
  }
  return pieces.join('') + text.slice(at);
}

/** Returns the start of the line. */
export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** Returns the end of the line, its line break included. */
export function lineEnd(text: string, offset: number): number {
  const rest = /\r\n|\r|\n/.exec(text.slice(offset));
  return rest === null ? text.length : offset + rest.index + rest[0].length;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Removes a byte order mark. */
export function withoutMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return { mark, body: text.slice(mark.length) };
}

const LINE_BREAK = /\r\n|\r|\n/;

export interface Layout {
  eol: string;
  /** One indentation step: spaces or a tab. */
  step: string;
}

export function layoutOf(body: string): Layout {
  return {
    eol: LINE_BREAK.exec(body)?.[0] ?? '\n',
    step: /[\r\n]([ \t]+)[^ \t\r\n]/.exec(body)?.[1] ?? '  ',
  };
}

/**
 * Reports whether the properties of this object are on its own line. An empty object follows the root’s
 * layout.
 */
export function isInline(body: string, object: Node): boolean {
  const first = object.children?.[0];
  if (first) return !LINE_BREAK.test(body.slice(object.offset, first.offset));
  return object.parent !== undefined && !LINE_BREAK.test(body);
}

/** Returns the whitespace at the beginning of the line. */
export function indentationAt(body: string, offset: number): string {
  const line = body.slice(0, offset).split(LINE_BREAK).at(-1) ?? '';
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Formats a value in lines. All but the first are indented by at least `indentation`. */
export function inLines(value: unknown, indentation: string, { eol, step }: Layout): string {
  return JSON.stringify(value, null, step).replaceAll('\n', eol + indentation);
}
