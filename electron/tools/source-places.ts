/** Source places in results: a file relative to the project, or an evaluation and line. */
import path from 'node:path';
import { z } from 'zod';
import type { SourcePlace } from '../contract/knowledge';
import type { History } from '../history/history';
import type { Session } from '../sessions/session/session';
import { unitAt } from '../source/text';

/**
 * A file, relative to the project if inside it; or an evaluation, which `history` shows. Lines count from 1.
 */
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

  /** Returns the line at a position. Positions count code points, as Lisp does. */
  #lineIn(evaluation: number, position: number | undefined): number | undefined {
    const code = this.#code(evaluation);
    if (code === null || position === undefined) return undefined;
    return code.slice(0, unitAt(code, position)).split('\n').length;
  }

  /**
   * Returns the code of an evaluation of this project. The image supplies the number, so other projects are
   * excluded.
   */
  #code(evaluation: number): string | null {
    const known = this.#codes.get(evaluation);
    if (known !== undefined) return known;
    const row = this.#history.evaluations.find(evaluation);
    const code = row?.project === this.#project ? row.code : null;
    this.#codes.set(evaluation, code);
    return code;
  }
}

/** Returns the path relative to the project if the file is inside it. */
export function shortPath(file: string, project: string): string {
  const relative = path.relative(project, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

/** Returns `src/a.lisp:12`, or `evaluation 7, line 2`. */
export function placeText({ path: file, evaluation, line, note }: PlaceResult): string {
  const where = file ?? (evaluation === undefined ? undefined : `evaluation ${evaluation}`);
  if (where === undefined) return note ?? 'unknown place';
  const at = line === undefined ? '' : file === undefined ? `, line ${line}` : `:${line}`;
  return `${where}${at}${note === undefined ? '' : ` (${note})`}`;
}
