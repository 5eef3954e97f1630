/** What a command is answered with: its values in the encoding that it asks for, or why there are none. */
import { asFailure } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { type Acl2Object, readObject } from './acl2-object';
import { jsonOf } from './json-encoding';

export interface Message {
  type: 'RETURN' | 'ERROR';
  content: string;
}

/** Characters of the longest value that is answered. */
export const LONGEST_VALUE = 4 * 1024 * 1024;

/** The same for JSON: reading one of this length takes up to half a second, in which nobody else is served. */
const LONGEST_JSON_VALUE = 1024 * 1024;

/** What a decoder leaves where bytes were no text. */
const REPLACED = '�';

/** One for each type of command; `values` are printed as data. */
const ENCODINGS = {
  LISP: ([first = '']) => first,
  LISP_MV: (values) => `(${values.join(' ')})`,
  JSON: ([first = '']) => jsonOf(object(first)),
  JSON_MV: (values) => jsonOf({ items: values.map(object), tail: null }),
} satisfies Record<string, (values: readonly string[]) => string>;

export type CommandType = keyof typeof ENCODINGS;

export function isCommandType(type: string): type is CommandType {
  return Object.hasOwn(ENCODINGS, type);
}

export function unknownType(type: string): Message {
  return failed('read-command', `The type ${type} is none of ${Object.keys(ENCODINGS).join(', ')}.`);
}

/** What went wrong before there was an evaluation. */
export function failed(during: 'read-command' | 'executing command', why: string): Message {
  return { type: 'ERROR', content: `Error during ${during}:\n${why}\n` };
}

/** The values are those of the last form. A value that is not there whole is an error, never a wrong one. */
export function replyTo(type: CommandType, evaluation: Evaluation): Message {
  if (evaluation.outcome !== 'ok') return failed('executing command', whyNot(evaluation));
  const last = evaluation.forms.at(-1);
  if (!last) return failed('read-command', 'The command has no form in it.');
  const problem = problemOf(last.values);
  if (problem !== null) return unanswered(problem);
  try {
    return { type: 'RETURN', content: ENCODINGS[type](last.values) };
  } catch (error) {
    return unanswered(`JSON cannot tell it: ${asFailure(error).message}. Ask for LISP.`);
  }
}

function object(value: string): Acl2Object {
  if (value.length > LONGEST_JSON_VALUE) throw new Error(`more than ${LONGEST_JSON_VALUE} characters`);
  return readObject(value);
}

function problemOf(values: readonly string[]): string | null {
  const tooLong = values.length === 0 || values.some((value) => value.length > LONGEST_VALUE);
  if (tooLong) return `It has more than ${LONGEST_VALUE} characters. Ask for a part of it.`;
  const torn = values.some((value) => value.includes(REPLACED));
  return torn ? 'Its strings or symbols hold bytes that are no UTF-8 text.' : null;
}

function unanswered(why: string): Message {
  return { type: 'ERROR', content: `Error writing return value:\n${why}\n` };
}

function whyNot({ outcome, condition, notes }: Evaluation): string {
  if (condition) return `${condition.type}: ${condition.message}`;
  const what = outcome === 'crashed' ? 'ACL2 is gone, and this connection ends.' : `It was ${outcome}.`;
  return [what, ...notes].join('\n');
}
