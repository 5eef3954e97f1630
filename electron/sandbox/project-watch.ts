/**
 * Notices what appears or changes in projects while code runs there and no sandbox prevents: Git repositories,
 * files that settings of repositories name, and protected places in subfolders. Those at the top of a project
 * belong to `sessions/new-protected-places.ts`.
 */
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, type FSWatcher, lstatSync, watch } from 'node:fs';
import path from 'node:path';
import { type Note, note } from '../contract/note';
import { namedPaths } from '../contract/visible-text';
import { polled } from '../host/listeners';
import { system } from '../host/system';
import { gitFoldersOf, RepositoryScan } from './git-repositories';
import { entriesOf, isWithin } from './paths';
import { protectedIn } from './protection';

/** Something that nobody has looked at yet. */
export interface AppearedPlace {
  /** `repository`: Git takes it for one, or one names it; `place`: a row of the table of protected places. */
  kind: 'repository' | 'place';
  path: string;
  project: string;
  /** Milliseconds since the epoch. */
  at: number;
}

interface ProjectWatchOptions {
  /** Returns the folders that code of the project can write to, and the projects in them. */
  tops: (project: string) => readonly string[];
  /** Reports whether the user allows clients to write the place. */
  isOpened: (project: string, place: string) => boolean;
}

/** Everything that is there, by a key that changes when another file takes its place. */
type Seen = ReadonlyMap<string, Found>;
type Found = Pick<AppearedPlace, 'kind' | 'path'>;

/** The last look. */
interface Watched {
  /** The folders that code can write to. */
  folders: readonly string[];
  /** Changes since the look. */
  changes: TreeChanges;
  seen: Seen;
  tookMs: number;
  endedAt: number;
}

/** Looks that take longer are made less often: they take at most this share of the time. */
const QUICK_MS = 50;
const SHARE = 1 / 20;

/** The processor time of this thread; Node 22 counts the whole process. */
const processorTime = process.threadCpuUsage ?? process.cpuUsage;

/** Milliseconds after which a look does not count as the state before an evaluation. */
const FRESH_MS = 2_000;

/** Maximum number of reported places of one project. */
const MOST_PLACES = 1_000;

export class ProjectWatch extends EventEmitter<{ changed: [] }> {
  readonly #options: ProjectWatchOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #appeared = new Map<string, AppearedPlace>();
  /** Found by looks that were made later, for the notes of the next evaluation. */
  readonly #unreported = new Map<string, Found[]>();
  readonly #later = new Map<string, NodeJS.Timeout>();

  constructor(options: ProjectWatchOptions = { tops: (project) => [project], isOpened: () => false }) {
    super();
    this.#options = options;
  }

  /** Everything that appeared or changed, was not dismissed, and still exists. */
  get appeared(): readonly AppearedPlace[] {
    return [...this.#appeared.values()].filter(({ path: at }) => existsSync(at));
  }

  /**
   * Call it before code runs in the project: what exists the first time is not reported, and what appeared
   * since the last evaluation is in no note.
   */
  begin(project: string): void {
    const before = this.#watched.get(project);
    if (!before) this.#watched.set(project, this.#looked(project));
    else if (Date.now() - before.endedAt > FRESH_MS && this.#mayDiffer(project, before)) this.#look(project);
  }

  /** Returns notes for the caller of an evaluation if something appeared or changed since the last look. */
  async notes(project: string): Promise<Note[]> {
    const before = this.#watched.get(project);
    await before?.changes.received();
    const looked = before === undefined || this.#mayDiffer(project, before) ? this.#look(project) : [];
    const found = [...(this.#unreported.get(project) ?? []), ...looked];
    this.#unreported.delete(project);
    const named = (kind: AppearedPlace['kind']) =>
      found.filter((each) => each.kind === kind).map(({ path: at }) => path.relative(project, at) || '.');
    const [repositories, places] = [named('repository'), named('place')];
    return [
      ...(repositories.length === 0
        ? []
        : [
            note(
              'repository',
              `Git takes these for a repository or obeys them, and they appeared while code ran: ${namedPaths(repositories)}. Git can run programs that they name. Remove them if they are not needed, or tell the user about them.`,
            ),
          ]),
      ...(places.length === 0
        ? []
        : [
            note(
              'protected_place',
              `Programs outside the sandbox run or obey these files, and they appeared or changed while code ran: ${namedPaths(places)}. Remove them if they are not needed, or tell the user about them.`,
            ),
          ]),
    ];
  }

  /** Looks at every project again, for code that runs between evaluations. */
  lookAgain(): void {
    for (const project of this.#watched.keys()) this.#look(project);
  }

  /** The user has seen this, or all protected places of the project. */
  dismiss(project: string, at: string | null): void {
    for (const [key, each] of this.#appeared)
      if (each.project === project && (at === null ? each.kind === 'place' : each.path === at))
        this.#appeared.delete(key);
    this.emit('changed');
  }

  #mayDiffer(project: string, { folders, changes }: Watched): boolean {
    const now = this.#foldersOf(project);
    return (
      changes.mayExist ||
      now.length !== folders.length ||
      now.some((folder, index) => folder !== folders[index])
    );
  }

  #foldersOf(project: string): string[] {
    return [...new Set([project, ...this.#options.tops(project)])];
  }

  /** Returns what appeared or changed. A look that would take too much time is made later. */
  #look(project: string): Found[] {
    const before = this.#watched.get(project);
    const wait =
      before && before.tookMs >= QUICK_MS ? before.endedAt + before.tookMs / SHARE - Date.now() : 0;
    if (wait > 0) {
      this.#lookLater(project, wait);
      return [];
    }
    const now = this.#looked(project);
    this.#watched.set(project, now);
    const found = before ? [...now.seen].flatMap(([key, each]) => (before.seen.has(key) ? [] : [each])) : [];
    const there = new Set([...now.seen.values()].map(({ path: at }) => at));
    const reported = [...this.#appeared.values()].filter((each) => each.project === project);
    const removed = reported.filter((each) => !there.has(each.path));
    for (const each of removed) this.#appeared.delete(each.path);
    for (const each of found.slice(0, MOST_PLACES - reported.length))
      this.#appeared.set(each.path, { ...each, project, at: Date.now() });
    if (found.length > 0 || removed.length > 0) this.emit('changed');
    return found;
  }

  #lookLater(project: string, wait: number): void {
    if (this.#later.has(project)) return;
    const look = () => {
      this.#later.delete(project);
      this.#unreported.set(project, [...(this.#unreported.get(project) ?? []), ...this.#look(project)]);
    };
    this.#later.set(project, setTimeout(look, wait + 1).unref());
  }

  #looked(project: string): Watched {
    // Processor time, because other programs may delay a look.
    const begun = processorTime();
    const { isOpened } = this.#options;
    const folders = this.#foldersOf(project);
    const changes = this.#watched.get(project)?.changes ?? new TreeChanges();
    const atTop = new Set(folders.flatMap((folder) => protectedIn(folder)).map(({ path: at }) => at));
    const outer = folders.filter(
      (each) => !folders.some((other) => other !== each && isWithin(each, other, process.platform)),
    );
    changes.begin(outer);
    const seen = new Map<string, Found>();
    for (const folder of outer) {
      const scan = RepositoryScan.fresh(folder, (each) => changes.cover(each));
      for (const each of scan.repositories.flatMap(gitFoldersOf)) changes.cover(each);
      for (const { at, identity } of scan.repositories)
        seen.set(`${at} ${identity}`, { kind: 'repository', path: at });
      for (const at of scan.existingPlaces) seen.set(at, { kind: 'repository', path: at });
      for (const { at } of scan.protectedPlaces)
        if (!atTop.has(at) && !isOpened(project, at))
          seen.set(`${at} ${stampOf(at)}`, { kind: 'place', path: at });
    }
    const used = processorTime(begun);
    return { folders, changes, seen, tookMs: (used.user + used.system) / 1_000, endedAt: Date.now() };
  }
}

/** Maximum watched folders of all projects. The system gives a user some thousand, which editors need as well. */
const MOST_FOLDERS = 2_000;

/**
 * Knows whether the folders of a tree have changed since they were read, so that an unchanged tree need not be read
 * again. Writes to mapped memory are not notified.
 */
class TreeChanges {
  static #count = 0;
  readonly #watchers = new Map<string, FSWatcher>();
  /** The folders at the top, each with its identity. Nothing notifies of another folder in their place. */
  #tops: ReadonlyMap<string, string> = new Map();
  #mayMiss = !system.notifiesAtOnce;
  #changed = true;

  /** False if all folders are as when they were read. */
  get mayExist(): boolean {
    return (
      this.#changed ||
      this.#mayMiss ||
      [...this.#tops].some(([folder, identity]) => identityOf(folder) !== identity)
    );
  }

  /** Call it before the folders are read. Folders at the top with another identity are watched anew. */
  begin(tops: readonly string[]): void {
    for (const [folder, identity] of this.#tops)
      if (identityOf(folder) !== identity)
        for (const each of this.#watchers.keys())
          if (isWithin(each, folder, process.platform)) this.#end(each);
    this.#tops = new Map(tops.map((folder) => [folder, identityOf(folder)]));
    this.#changed = false;
  }

  /** Call it before this folder is read. */
  cover(folder: string): void {
    if (this.#mayMiss || this.#watchers.has(folder)) return;
    try {
      if (TreeChanges.#count >= MOST_FOLDERS) throw new Error('There are too many folders.');
      const watcher = watch(folder, { persistent: false }, () => this.#end(folder));
      watcher.on('error', () => this.#end(folder));
      this.#watchers.set(folder, watcher);
      TreeChanges.#count += 1;
    } catch {
      // Removed meanwhile, or a limit is reached.
      this.#mayMiss = existsSync(folder);
      this.#changed = true;
      if (this.#mayMiss) for (const each of this.#watchers.keys()) this.#end(each);
    }
  }

  /** Resolves when the changes that were made so far are known. */
  async received(): Promise<void> {
    if (!this.#changed && !this.#mayMiss) await polled();
  }

  /** A folder that has changed is watched again from the next look on, so a busy program causes few events. */
  #end(folder: string): void {
    this.#changed = true;
    this.#watchers.get(folder)?.close();
    if (this.#watchers.delete(folder)) TreeChanges.#count -= 1;
  }
}

/** Changes if another folder takes its place; empty if there is none, or it cannot be reached. */
function identityOf(folder: string): string {
  try {
    const { dev, ino } = lstatSync(folder, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return '';
  }
}

/** Maximum number of files whose changes count in one place. */
const MOST_FILES = 200;

/** Folders in places that programs fill by themselves, with nothing that others obey. */
const CACHES: ReadonlySet<string> = new Set(['.cache', '__pycache__']);

/** Returns a text that changes when a file of the place does. */
function stampOf(place: string): string {
  const stamp = createHash('sha256');
  let waiting = [place];
  let remaining = MOST_FILES;
  while (waiting.length > 0 && remaining > 0) {
    const next: string[] = [];
    for (const at of waiting) {
      const found = lstatSync(at, { bigint: true, throwIfNoEntry: false });
      remaining -= 1;
      if (!found || remaining < 0) continue;
      if (!found.isDirectory()) stamp.update(`${at} ${found.ino} ${found.size} ${found.ctimeNs}\n`);
      else if (!CACHES.has(path.basename(at))) {
        stamp.update(`${at} ${found.ino}\n`);
        next.push(...entriesOf(at).map(({ name }) => path.join(at, name)));
      }
    }
    waiting = next;
  }
  return stamp.digest('hex');
}
