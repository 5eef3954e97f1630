/**
 * The forms of a file that a session has seen. Where a file has another one, somebody else changed it, and what
 * the session writes over it would be lost.
 */

import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { History } from '../../history/history';
import type { FileVersion } from '../../history/replaced-files';
import { hashOf } from '../../sandbox/allowed-file';
import { dialectOf } from '../../source/dialect';
import { textOf } from '../../source/text';
import type { Session } from '../session/session';
import { createdForms } from './created-forms';

interface Seen {
  /** The text of each form that the session evaluated, and when it last did. */
  evaluated: ReadonlyMap<string, number>;
  /** The text of the file when the image loaded it; null if it did not, or does not record it. */
  loaded: string | null;
  /** Earlier contents of the file that tools replaced, oldest first. */
  versions: readonly FileVersion[];
  /** When the file was last written, in milliseconds since the epoch, and the hash of its content. */
  writtenAt: number;
  hash: string;
}

export class KnownForms {
  readonly #seen: Seen;
  readonly #session: Session;
  readonly #history: History;

  private constructor(session: Session, history: History, seen: Seen) {
    this.#session = session;
    this.#history = history;
    this.#seen = seen;
  }

  /** @param file may be relative to the project of the session, and need not exist */
  static async of(session: Session, file: string, history: History): Promise<KnownForms> {
    const { project, engine } = session.identity;
    const real = await realpath(path.resolve(project, file)).catch(() => null);
    const knowledge = session.offers('knowledge') ? session.ability('knowledge') : null;
    const made = createdForms(history.evaluations.formsOf(session.id), dialectOf(engine));
    return new KnownForms(session, history, {
      evaluated: new Map(made.map(({ code, at }) => [code.trim(), at])),
      loaded: real === null ? null : ((await knowledge?.loadedText?.(real)) ?? null),
      versions: real === null ? [] : history.replacedFiles.versionsOf(real),
      writtenAt: real === null ? 0 : await stat(real).then(({ mtimeMs }) => mtimeMs),
      hash: real === null ? '' : hashOf(await readFile(real)),
    });
  }

  /**
   * Reports whether the session has seen a form of the file.
   * @param own the form of the session that would replace it
   */
  has(form: string, own: string): boolean {
    const { evaluated, loaded, versions, writtenAt } = this.#seen;
    const wanted = form.trim();
    if (evaluated.has(wanted) || loaded?.includes(wanted)) return true;
    if (loaded === null) {
      // A client that evaluates a form without loading the file knows the file as it is at that time.
      const at = evaluated.get(own.trim()) ?? Date.now();
      const then = versions.find(({ replacedAt }) => replacedAt > at);
      if (then ? this.#textOf(then).includes(wanted) : writtenAt <= at) return true;
    }
    return this.#wroteItself(wanted);
  }

  /** Reports whether a tool wrote the form for this session. */
  #wroteItself(wanted: string): boolean {
    const { id } = this.#session;
    const { versions, hash } = this.#seen;
    const place = versions.findLastIndex((version) => !this.#textOf(version).includes(wanted));
    const writer = versions[place];
    if (!writer) return false;
    const next = versions[place + 1];
    // Another program may have changed the file after the last write of a tool.
    const isByTool =
      next === undefined
        ? this.#history.replacedFiles.hashAfter(writer.id) === hash
        : this.#textOf(next).includes(wanted);
    return isByTool && writer.session === id;
  }

  #textOf({ id }: FileVersion): string {
    return textOf(this.#history.replacedFiles.find(id)?.bytes ?? new Uint8Array())?.text ?? '';
  }
}
