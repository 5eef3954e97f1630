/**
 * Computes the effective allow-list: entries from the user plus defaults, and the file rules and confinements
 * derived from them.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AllowEntry, AllowRow, Secret } from '../contract/sandbox';
import type { Confinement, HiddenPath } from './confinement';
import type { ClaimedSystem, FileRules } from './file-policy';
import { RepositoryScan } from './git-repositories';
import { isWithin, passesLinkIn, REPOSITORY, RealPaths, realPath } from './paths';
import {
  type NamedPlaces,
  OWN_CODE,
  type Places,
  projectRefusal,
  protectedIn,
  protectionOf,
  readRefusal,
  realPlaces,
  writeRefusal,
} from './protection';
import { secretPaths } from './secret-paths';

interface AllowListOptions extends NamedPlaces {
  /** Entries from the user. Each of these callbacks is called again for every decision. */
  entries: () => readonly AllowEntry[];
  /** Projects whose images may open network connections. */
  networkProjects: () => readonly string[];
  /** Ports of servers on this computer that images with network access may connect to. */
  loopbackPorts?: () => readonly number[];
  /** Default folders that the user removed. */
  withoutDefaults: () => readonly string[];
  /** Additional library folders from other settings. */
  libraries: () => readonly string[];
  /** The folder of libraries fetched for a project. */
  fetched?: (project: string) => string;
  /** Folders that are or may become projects: the protected places in each are closed to all others. */
  projects?: () => readonly string[];
}

export class AllowList {
  readonly #options: AllowListOptions;
  readonly #platform: NodeJS.Platform;

  constructor(options: AllowListOptions) {
    this.#options = options;
    this.#platform = options.platform ?? process.platform;
  }

  /**
   * Returns all rows, defaults first, with folders as the user wrote them. With `project`, only rows that
   * apply to it.
   */
  rows(project?: string): AllowRow[] {
    const off = this.#options.withoutDefaults();
    return this.#rows(project).filter(({ isDefault, folder }) => !isDefault || !off.includes(folder));
  }

  /** Returns the default rows that the user removed. */
  removedDefaults(project: string): AllowRow[] {
    const off = this.#options.withoutDefaults();
    return this.#rows(project).filter(({ isDefault, folder }) => isDefault && off.includes(folder));
  }

  /** Returns why an entry is ignored; null if it is in force. */
  refusal(entry: AllowEntry): string | null {
    return this.#refusal(entry, this.#paths);
  }

  #refusal({ folder, power }: AllowEntry, paths: Places): string | null {
    if (!path.isAbsolute(folder))
      return `${folder} is not an absolute path. Use a path that starts at the root.`;
    const never = power === 'write' ? writeRefusal : readRefusal;
    const real = realPath(folder);
    // A process that can write around the link could redirect it at any time.
    if (real !== path.resolve(folder))
      return `${folder} is reached through a symbolic link. Name the folder itself: ${real}.`;
    const reason = never(real, paths);
    return (
      reason &&
      `${folder} cannot be on the allow-list: it is ${reason}. Choose the folder inside it that you need.`
    );
  }

  /**
   * Returns why the user must not be asked about a folder that an image claims (a real path): such a claim
   * would open everything. Null if asking is fine.
   */
  claimProblem(folder: string): string | null {
    return projectRefusal(folder, this.#paths);
  }

  /** The secrets of this platform, whether the paths exist or not. */
  get secrets(): Secret[] {
    const { home, dataFolder, clientFiles = [] } = this.#options;
    return secretPaths({ platform: this.#platform, home, dataFolder, clientFiles });
  }

  /**
   * Returns the rules for file decisions, with symbolic links resolved. A secret behind a link is protected
   * at both paths.
   */
  rules(project: string, claimed: readonly ClaimedSystem[] = []): FileRules {
    return this.#rules(this.#followable(this.rows(project)), claimed, new RealPaths());
  }

  #rules(followable: readonly AllowRow[], claimed: readonly ClaimedSystem[], real: RealPaths): FileRules {
    const rows = followable.map((row) => ({
      ...row,
      folder: mayBeLinked(row) ? real.of(row.folder) : path.resolve(row.folder),
    }));
    const secrets = this.secrets.flatMap((secret) => {
      const at = real.of(secret.path);
      return at === secret.path ? [secret] : [secret, { ...secret, path: at }];
    });
    const systems = claimed.map((system) => ({ ...system, folder: real.of(system.folder) }));
    const opened = this.#options.withoutDefaults().map((folder) => real.of(folder));
    const { platform, installation } = this.#paths;
    return { rows, secrets, systems, opened, platform, installation };
  }

  /** Returns the folders in which code of the project could create protected places, and projects in them. */
  tops(project: string): string[] {
    const writable = [project, ...this.#writeEntries(project).map(({ folder }) => folder)];
    const projects = this.#options.projects?.() ?? [];
    const inside = projects.filter(
      (at) => at !== project && writable.some((top) => isWithin(at, top, this.#platform)),
    );
    return [...new Set([...writable, ...inside])];
  }

  /** Reports whether the user allows clients of the project to write a protected place. */
  isOpened(project: string, place: string): boolean {
    const named = this.#writeEntries(project).some(({ folder }) => isWithin(folder, place, this.#platform));
    return named || this.#options.withoutDefaults().includes(place);
  }

  /** Called twice per evaluation: the real places, which take many system calls, are found only if entries need them. */
  #writeEntries(project: string): AllowEntry[] {
    const entries = this.#options
      .entries()
      .filter(
        ({ power, project: only }) =>
          power === 'write' && (only === null || isWithin(project, path.resolve(only), this.#platform)),
      );
    if (entries.length === 0) return [];
    const paths = this.#paths;
    return entries.filter((entry) => this.#refusal(entry, paths) === null);
  }

  /** Returns the confinement for images of the project, without the session's own folders. */
  confinement(project: string): Confinement {
    const real = new RealPaths();
    const followable = this.#followable(this.rows(project));
    const { rows, secrets, opened = [] } = this.#rules(followable, [], real);
    const there = rows.filter(({ folder }) => existsSync(folder));
    const foldersOf = (isWritable: boolean) =>
      there.filter(({ power }) => (power === 'write') === isWritable).map(({ folder }) => folder);
    const writable = [...new Set([project, ...foldersOf(true)])];
    // Does not depend on whether .git exists: equal projects get equal confinements, and an image outlives
    // the first `git init`.
    const protectedPaths = writable
      .filter((folder) => isFolder(folder) && protectionOf(folder, this.#paths) === null)
      .map((folder) => path.join(folder, REPOSITORY))
      .filter((at) => !opened.includes(at) && !writable.includes(at) && real.of(at) === at);
    // Libraries are also readable at the path where programs look for them.
    const unresolved = followable.filter((row) => mayBeLinked(row) && existsSync(row.folder));
    const readable = [...unresolved.map(({ folder }) => folder), ...foldersOf(false)];
    return {
      writable,
      readable: [...new Set(readable)].filter((at) => !protectedPaths.includes(at)),
      protectedPaths,
      added: there.flatMap(({ isDefault, folder }) => (isDefault || !isFolder(folder) ? [] : [folder])),
      // A secret behind a link is listed by its real path.
      hidden: secrets.flatMap(({ path: at }) => (real.of(at) === at ? hiddenPath(at) : [])),
      network: this.hasNetwork(project),
      loopbackPorts: this.#options.loopbackPorts?.() ?? [],
    };
  }

  /** Reports whether all images of the project may open network connections. */
  hasNetwork(project: string): boolean {
    return this.#options.networkProjects().some((of) => isWithin(project, of, this.#platform));
  }

  /** Drops libraries behind a link that sandboxed code can redirect. */
  #followable(rows: readonly AllowRow[]): AllowRow[] {
    const writable = rows.flatMap(({ folder, power }) => (power === 'write' ? [folder] : []));
    return rows.filter((row) => !mayBeLinked(row) || !passesLinkIn(row.folder, writable, this.#platform));
  }

  get #paths(): Places {
    return realPlaces(this.#options);
  }

  /** Like `rows`, including the defaults that the user removed. */
  #rows(project: string | undefined): AllowRow[] {
    const paths = this.#paths;
    const added = this.#options.entries().filter((entry) => this.#refusal(entry, paths) === null);
    const own = project === undefined ? [] : [defaultRow(project, 'write', 'the project', project)];
    const fetched = project === undefined ? [] : this.#fetched(project);
    const entries = added.map((entry) => ({ ...entry, isDefault: false }));
    const rows = [...own, ...this.#libraries, ...fetched, ...entries].filter(
      (row) => project === undefined || this.#appliesTo(row, project),
    );
    const places = rows.flatMap((row) => this.#protectedRows(row));
    const byFolder = new Map(places.map((row) => [row.folder, row]));
    return [...own, ...byFolder.values(), ...rows.slice(own.length)];
  }

  /** Libraries fetched for this project; other projects cannot reach them. */
  #fetched(project: string): AllowRow[] {
    const folder = this.#options.fetched?.(project);
    if (folder === undefined || !existsSync(folder)) return [];
    return [defaultRow(folder, 'library', 'libraries fetched for the project', project)];
  }

  get #libraries(): AllowRow[] {
    const { home, libraries } = this.#options;
    const folders = [...libraryFolders(home), ...libraries()].filter((folder) => existsSync(folder));
    return [...new Set(folders)].map((folder) => defaultRow(folder, 'library', 'Lisp libraries', null));
  }

  /**
   * Rows for the protected places that exist in a writable folder, and in the projects in it. Of a link, its
   * target is closed if code could write there; a row for another target would open it.
   */
  #protectedRows({ folder, power, project }: AllowRow): AllowRow[] {
    if (power !== 'write' || realPath(folder) !== folder) return [];
    const inside = (other: string) => isWithin(other, folder, this.#platform);
    const tops = [folder, ...(this.#options.projects?.() ?? []).filter(inside)];
    const own = this.#paths.installation.filter(inside).map((at) => ({ at, reason: OWN_CODE.rule }));
    const found = [...new Set(tops)]
      .flatMap((top) => protectedIn(top))
      .flatMap(({ path: at, rule, isLink }) => {
        const real = realPath(at);
        return (isLink ? inside(real) && existsSync(real) : real === at) ? [{ at: real, reason: rule }] : [];
      });
    const ofGit = RepositoryScan.of(folder).places.map(({ path: at, reason }) => ({ at, reason }));
    return [...own, ...found, ...ofGit].map(({ at, reason }) => defaultRow(at, 'read', reason, project));
  }

  #appliesTo({ project: of }: AllowRow, project: string): boolean {
    return of === null || isWithin(project, path.resolve(of), this.#platform);
  }
}

/**
 * Only default libraries may be links. The user's entries are real folders; a link that replaced one is
 * ignored.
 */
function mayBeLinked({ power, isDefault }: AllowRow): boolean {
  return power === 'library' && isDefault;
}

function defaultRow(
  folder: string,
  power: AllowRow['power'],
  reason: string,
  project: string | null,
): AllowRow {
  return { folder, power, reason, project, addedBy: 'default', addedAt: null, isDefault: true };
}

function hiddenPath(at: string): HiddenPath[] {
  return existsSync(at) ? [{ path: at, isFolder: isFolder(at) }] : [];
}

function isFolder(at: string): boolean {
  return statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Where Lisp implementations keep libraries: in the home folder and system-wide. */
const IN_HOME = ['quicklisp', 'common-lisp', '.local/share/common-lisp', '.m2/repository'];
const OF_SYSTEM = [
  '/usr/share/common-lisp',
  '/usr/local/share/common-lisp',
  '/usr/share/java',
  '/usr/lib/sbcl',
  '/usr/local/lib/sbcl',
];

/** Folders in the home folder where package managers of Emacs put SLIME and SLY, whose Lisp files are libraries. */
const EMACS_PACKAGES = [
  '.emacs.d/elpa',
  '.config/emacs/elpa',
  '.emacs.d/straight/repos',
  '.emacs.d/.local/straight/repos',
  '.config/emacs/.local/straight/repos',
];

function emacsPackages(home: string): string[] {
  return EMACS_PACKAGES.map((name) => path.join(home, name))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
    .filter((folder) => /^(?:slime|sly)(?:-\d[\d.]*)?$/.test(path.basename(folder)))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

/** Returns the library folders that exist, as absolute paths. */
export function libraryFolders(home: string): string[] {
  const all = [...IN_HOME.map((name) => path.join(home, name)), ...OF_SYSTEM, ...emacsPackages(home)];
  return all.filter((folder) => existsSync(folder));
}

/** Allow-list entries that last until Lisp Harbor quits; they are not saved to a file. */
export class SessionOnlyEntries {
  #entries: readonly AllowEntry[] = [];

  get all(): readonly AllowEntry[] {
    return this.#entries;
  }

  add(entry: AllowEntry): void {
    this.remove(entry);
    this.#entries = [...this.#entries, entry];
  }

  /** Removes the entry; returns false if there is none for that folder and project. */
  remove({ folder, project }: Pick<AllowRow, 'folder' | 'project'>): boolean {
    const remaining = this.#entries.filter((entry) => entry.folder !== folder || entry.project !== project);
    const removed = remaining.length < this.#entries.length;
    this.#entries = remaining;
    return removed;
  }
}
