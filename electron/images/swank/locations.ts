/** Where Swank says that something was written (the data of `make-location` in swank/backend.lisp). */
import type { SourcePlace } from '../../contract/knowledge';
import type { SwankQuestions } from './questions';
import { elementsOf, isSymbol, lispCall, propertyOf, type Sexp, textOf } from './sexp';

/** A place before its line is known. */
export interface Location {
  file: string | null;
  /** The form that stands there, as far as the server knows. */
  form: string | null;
  /** A character of the file, counted from 1. */
  position: number | null;
  line: number | null;
  /** Why there is no place. */
  problem: string | null;
}

const NOWHERE: Location = { file: null, form: null, position: null, line: null, problem: null };

export function locationOf(location: Sexp | undefined): Location {
  const [kind, ...rest] = elementsOf(location);
  if (isSymbol(kind, ':error')) return { ...NOWHERE, problem: textOf(rest[0]) ?? 'The server cannot tell.' };
  if (!isSymbol(kind, ':location')) return NOWHERE;
  const [buffer, position, hints] = rest;
  const [source, name, second] = elementsOf(buffer);
  const place = { ...NOWHERE, ...positionOf(position), form: textOf(propertyOf(hints, 'snippet')) ?? null };
  const text = textOf(name) ?? '';
  if (isSymbol(source, ':file')) return { ...place, file: text };
  if (isSymbol(source, ':buffer-and-file')) return { ...place, file: textOf(second) ?? text };
  if (isSymbol(source, ':source-form')) return { ...NOWHERE, form: text };
  return { ...place, position: null, problem: `It was read from ${text || 'what is no file'}.` };
}

function positionOf(position: Sexp | undefined): { position: number | null; line: number | null } {
  const [kind, first, second] = elementsOf(position);
  const [from, more] = [first, second].map((value) => (typeof value === 'number' ? value : 0));
  if (isSymbol(kind, ':position')) return { position: from ?? null, line: null };
  if (isSymbol(kind, ':offset')) return { position: (from ?? 0) + (more ?? 0), line: null };
  return { position: null, line: isSymbol(kind, ':line') ? (from ?? null) : null };
}

/** With the line, which the server counts, for the file is where the server is. */
export async function placeOf(
  location: Location,
  questions: SwankQuestions,
): Promise<SourcePlace | undefined> {
  const { file, position, problem } = location;
  if (file === null) return problem === null ? undefined : { note: problem };
  const line = location.line ?? (position === null ? null : await lineOf(file, position, questions));
  return line === null ? { file } : { file, line };
}

async function lineOf(file: string, position: number, questions: SwankQuestions): Promise<number | null> {
  const line = await questions.ask(lispCall('lisp-harbor.swank:line-of', file, position));
  return typeof line === 'number' ? line : null;
}
