/**
 * Notices Git repositories, and files that settings of repositories name, which appear in projects while code
 * runs there. No sandbox prevents them: code may create any file in its project, and Git goes by structure.
 */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Note, note } from '../contract/note';
import { namedPaths } from '../contract/visible-text';
import { RepositoryScan } from './git-repositories';

/** A repository, or a file that settings name, which nobody has looked at yet. */
interface AppearedRepository {
  path: string;
  project: string;
  /** Milliseconds since the epoch. */
  at: number;
}

interface Watched {
  /** Keys of everything that existed at the last look. */
  known: ReadonlySet<string>;
  tookMs: number;
  endedAt: number;
}

/** Looks that take longer are made less often: they take at most this share of the time. */
const QUICK_MS = 2;
const SHARE = 1 / 20;

export class RepositoryWatch extends EventEmitter<{ changed: [] }> {
  readonly #watched = new Map<string, Watched>();
  readonly #appeared = new Map<string, AppearedRepository>();

  /** Everything that appeared, was not dismissed, and still exists. */
  get appeared(): readonly AppearedRepository[] {
    return [...this.#appeared.values()].filter(({ path: at }) => existsSync(at));
  }

  /** Call it before code runs in the project for the first time: what exists is not reported. */
  begin(project: string): void {
    if (!this.#watched.has(project)) this.#watched.set(project, looked(project).watched);
  }

  /** Returns a note for the caller of an evaluation if something appeared since the last look. */
  notes(project: string): Note[] {
    const found = this.#look(project).map((at) => path.relative(project, at) || '.');
    if (found.length === 0) return [];
    return [
      note(
        'repository',
        `Git takes these for a repository or obeys them, and they appeared while code ran: ${namedPaths(found)}. Git can run programs that they name. Remove them if they are not needed, or tell the user about them.`,
      ),
    ];
  }

  /** Looks at every project again, for code that runs between evaluations. */
  lookAgain(): void {
    for (const project of this.#watched.keys()) this.#look(project);
  }

  /** The user has seen it. */
  dismiss(at: string): void {
    if (this.#appeared.delete(at)) this.emit('changed');
  }

  /** Returns the paths that appeared. */
  #look(project: string): string[] {
    const before = this.#watched.get(project);
    const isDue = (last: Watched) =>
      last.tookMs < QUICK_MS || Date.now() - last.endedAt > last.tookMs / SHARE;
    if (before && !isDue(before)) return [];
    const { watched, paths } = looked(project);
    this.#watched.set(project, watched);
    const found = [...paths].filter(([key]) => before && !before.known.has(key)).map(([, at]) => at);
    const now = new Set(paths.values());
    const reported = [...this.#appeared.values()].filter((each) => each.project === project);
    const removed = reported.filter((each) => !now.has(each.path));
    for (const each of removed) this.#appeared.delete(each.path);
    for (const each of found) this.#appeared.set(each, { path: each, project, at: Date.now() });
    if (found.length > 0 || removed.length > 0) this.emit('changed');
    return found;
  }
}

/** Returns what is there, by a key that changes when another file takes its place. */
function looked(project: string): { watched: Watched; paths: ReadonlyMap<string, string> } {
  // Processor time, because other programs may delay a look.
  const begun = process.cpuUsage();
  const { repositories, existingPlaces } = RepositoryScan.of(project, true);
  const paths = new Map([
    ...repositories.map(({ at, identity }) => [`${at} ${identity}`, at] as const),
    ...existingPlaces.map((at) => [at, at] as const),
  ]);
  const used = process.cpuUsage(begun);
  const watched = {
    known: new Set(paths.keys()),
    tookMs: (used.user + used.system) / 1_000,
    endedAt: Date.now(),
  };
  return { watched, paths };
}
