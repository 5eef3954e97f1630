/**
 * Watches for protected places that appear at the top of a project while images run. A sandbox shows only
 * existing places read-only, so code can create others, which programs outside the sandbox would obey. What
 * appears while an evaluation runs is moved out of the project within a moment; what appears while none runs may be
 * the user's own, so it is reported and stays.
 */

import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { cp, mkdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { asFailure } from '../contract/errors';
import { type Note, note } from '../contract/note';
import { namedPaths, quotedPath } from '../contract/visible-text';
import { every } from '../host/listeners';
import { closingAfter, OpenedFolder, systemCode } from '../host/opened-folder';
import { removeFolder } from '../sandbox/folder-tree';
import { protectedIn } from '../sandbox/protection';

interface NewProtectedPlacesOptions {
  /** Returns the folders that images of the project may write to and programs may be started in. */
  tops: (project: string) => readonly string[];
  /** Reports whether the user allows clients to write the place. */
  isOpened: (project: string, place: string) => boolean;
  /** Where places are moved to. Code cannot reach it. */
  taken: string;
  /** Tells the user. */
  report: (text: string) => void;
}

/** An evaluation under watch. */
interface Watched {
  isWorking: () => boolean;
  notes: Note[];
}

export class NewProtectedPlaces {
  readonly #options: NewProtectedPlacesOptions;
  readonly #projects = new Map<string, WatchedProject>();

  constructor(options: NewProtectedPlacesOptions) {
    this.#options = options;
  }

  /**
   * Begins to watch an evaluation.
   * @param isWorking false while it is suspended in the debugger
   * @returns a function that ends it and returns notes for its caller
   */
  async begin(project: string, isWorking: () => boolean): Promise<() => Promise<Note[]>> {
    const watched = this.#projects.get(project) ?? new WatchedProject(project, this.#options);
    this.#projects.set(project, watched);
    const evaluation: Watched = { isWorking, notes: [] };
    await watched.begin(evaluation);
    return async () => {
      await watched.end(evaluation);
      return evaluation.notes;
    };
  }
}

/** Milliseconds between two looks while code runs. Not inotify, of which a user has few. */
const LOOK_MS = 200;

class WatchedProject {
  readonly #project: string;
  readonly #options: NewProtectedPlacesOptions;
  readonly #evaluations = new Set<Watched>();
  #stopTimer: (() => void) | undefined;
  /** Null before the first look. */
  #known: KnownPlaces | null = null;
  /** The folders of the last look, each with its stamp before it was read; null if the next look must compare. */
  #lastLook: { tops: readonly string[]; stamps: ReadonlyMap<string, string> } | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(project: string, options: NewProtectedPlacesOptions) {
    this.#project = project;
    this.#options = options;
  }

  async begin(evaluation: Watched): Promise<void> {
    await this.#look();
    this.#evaluations.add(evaluation);
    this.#stopTimer ??= every(LOOK_MS, () => (this.#evaluations.size > 0 ? void this.#look() : this.#stop()));
  }

  async end(evaluation: Watched): Promise<void> {
    evaluation.isWorking = () => true;
    await this.#look();
    // Programs that the code left running may go on.
    if (evaluation.notes.length > 0) await this.#look();
    this.#evaluations.delete(evaluation);
  }

  #stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #look(): Promise<void> {
    this.#last = this.#last.then(() => this.#compare()).catch(() => undefined);
    return this.#last;
  }

  async #compare(): Promise<void> {
    const { tops, isOpened } = this.#options;
    const folders = tops(this.#project);
    if (this.#isUnchanged(folders)) return;
    const stamps = new Map<string, string>();
    const found = folders
      .flatMap((top) => protectedIn(top, (folder) => stamps.set(folder, stampOf(folder))))
      .map(({ path: at, rule }) => ({ at, rule, link: linkTarget(at) }));
    const known = this.#known;
    // Places that are moved away, and those that appear meanwhile, stay unknown.
    const after = new Map(found.map(({ at, link }) => [at, link]));
    const added = known
      ? found.filter(({ at, link }) => known.get(at) !== link && !isOpened(this.#project, at))
      : [];
    if (added.length > 0) await this.#handle(added, known ?? after, after);
    this.#known = after;
    this.#lastLook = added.length > 0 ? null : { tops: folders, stamps };
  }

  #isUnchanged(tops: readonly string[]): boolean {
    const last = this.#lastLook;
    return (
      last !== null &&
      last.tops.length === tops.length &&
      last.tops.every((top, index) => top === tops[index]) &&
      [...last.stamps].every(([folder, stamp]) => stampOf(folder) === stamp)
    );
  }

  async #handle(added: readonly Found[], known: KnownPlaces, after: Map<string, Link>): Promise<void> {
    const working = [...this.#evaluations].filter(({ isWorking }) => isWorking());
    if (working.length === 0) {
      this.#options.report(appeared(added));
      return;
    }
    let failure: string | null = null;
    for (const { at } of added) {
      const link = known.get(at);
      const to = path.join(this.#options.taken, `${Date.now()}-${path.basename(at)}`);
      await moveOut(at, to, link ?? null).then(
        () => (link == null ? after.delete(at) : after.set(at, link)),
        (error: unknown) => {
          failure = `${quotedPath(at, LONGEST_PATH)} could not be moved: ${asFailure(error).message}`;
        },
      );
    }
    const text = movedOut(added, this.#options.taken, failure);
    for (const { notes } of working) notes.push(note('protected_place', text));
    this.#options.report(text);
  }
}

/** The target of a link; null for a file or a folder, undefined for nothing. */
type Link = string | null | undefined;
type KnownPlaces = ReadonlyMap<string, Link>;

interface Found {
  at: string;
  rule: string;
  link: Link;
}

/** Maximum characters of a path in a text. */
const LONGEST_PATH = 400;

function named(places: readonly Found[]): string {
  return namedPaths(
    places.map(({ at }) => at),
    LONGEST_PATH,
  );
}

const ruleOf = (places: readonly Found[]): string => places[0]?.rule ?? 'programs may obey it';

function movedOut(places: readonly Found[], taken: string, failure: string | null): string {
  const done = `${named(places)} appeared while code ran, and ${ruleOf(places)}. Moved to ${taken}, from where the user can take back what is theirs.`;
  return failure === null ? done : `${done} ${failure}. Look at it before you use the folder.`;
}

function appeared(places: readonly Found[]): string {
  return `${named(places)} appeared while no evaluation ran, and ${ruleOf(places)}. If neither you nor your programs created it, code of a session did.`;
}

/** Moves a place out of the folder that it was seen in, whatever its name leads to meanwhile. */
async function moveOut(at: string, to: string, target: string | null): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  await closingAfter(await OpenedFolder.open(path.dirname(at)), async (folder) => {
    const name = path.basename(at);
    try {
      await rename(folder.at(name), to);
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      await moveToOtherDisk(folder, name, to);
    }
    if (target !== null) await symlink(target, folder.at(name));
  });
}

/** Copies and removes. A pipe or a socket is not copied. */
async function moveToOtherDisk(folder: OpenedFolder, name: string, to: string): Promise<void> {
  // Nothing obeys it under this name, whatever the copy takes.
  const aside = `.lisp-harbor-${path.basename(to)}.moving`;
  await rename(folder.at(name), folder.at(aside));
  await cp(folder.at(aside), to, { recursive: true, verbatimSymlinks: true }).catch(() => undefined);
  if (lstatSync(folder.at(aside)).isDirectory()) await removeFolder(path.join(folder.real, aside));
  else await folder.remove(aside);
}

/**
 * Returns a text that changes when an entry of the folder is added, removed or renamed: code can set a modification
 * time, but not the time of the last change. Nothing that code creates makes it throw, such as a link to itself.
 */
function stampOf(folder: string): string {
  try {
    const { ctimeMs, ino } = statSync(folder);
    return `${ctimeMs} ${ino}`;
  } catch {
    return '';
  }
}

function linkTarget(at: string): Link {
  const found = lstatSync(at, { throwIfNoEntry: false });
  if (!found) return undefined;
  return found.isSymbolicLink() ? readlinkSync(at) : null;
}
