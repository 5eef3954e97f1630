/** Places of definitions as results show them: files of the project by their short name, evaluations by line. */
import path from 'node:path';
import { z } from 'zod';
import type { SourcePlace } from '../contract/knowledge';
import type { History } from '../history/history';
import type { Session } from '../sessions/session/session';

/** A file, relative to the project where it is inside; or an evaluation, which `history` shows. Lines count from 1. */
export const PlaceResult = z.object({
  path: z.string().optional(),
  evaluation: z.int().optional(),
  line: z.int().optional(),
  note: z.string().optional(),
});
export type PlaceResult = z.infer<typeof PlaceResult>;

export class SourcePlaces {
  readonly #project: string;
  readonly #history: History;
  readonly #codes = new Map<number, string | null>();

  constructor(session: Session, history: History) {
    this.#project = session.identity.project;
    this.#history = history;
  }

  place({ file, evaluation, line, position, note }: SourcePlace): PlaceResult {
    const at = evaluation === undefined ? line : (line ?? this.#lineIn(evaluation, position));
    return {
      ...(file === undefined ? {} : { path: shortPath(file, this.#project) }),
      ...(evaluation === undefined ? {} : { evaluation }),
      ...(at === undefined ? {} : { line: at }),
      ...(note === undefined ? {} : { note }),
    };
  }

  /** Characters are counted as Lisp does, by code point. */
  #lineIn(evaluation: number, position: number | undefined): number | undefined {
    const code = this.#code(evaluation);
    if (code === null || position === undefined) return undefined;
    return Array.from(code)
      .slice(0, position)
      .reduce((line, character) => (character === '\n' ? line + 1 : line), 1);
  }

  /** The image names the evaluation, so only one of this project is looked at. */
  #code(evaluation: number): string | null {
    const known = this.#codes.get(evaluation);
    if (known !== undefined) return known;
    const row = this.#history.evaluations.find(evaluation);
    const code = row?.project === this.#project ? row.code : null;
    this.#codes.set(evaluation, code);
    return code;
  }
}

/** Relative to the project where it is inside. */
export function shortPath(file: string, project: string): string {
  const relative = path.relative(project, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

/** `src/a.lisp:12`, or `evaluation 7, line 2`. */
export function placeText({ path: file, evaluation, line, note }: PlaceResult): string {
  const where = file ?? (evaluation === undefined ? undefined : `evaluation ${evaluation}`);
  if (where === undefined) return note ?? 'a place that is not known';
  const at = line === undefined ? '' : file === undefined ? `, line ${line}` : `:${line}`;
  return `${where}${at}${note === undefined ? '' : ` (${note})`}`;
}
