/** The allow-list that is in force: what a person added, beside what is there without a word. */
import { existsSync, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AllowEntry, AllowRow, Secret } from '../contract/allow-list';
import type { Confinement, HiddenPlace } from './confinement';
import type { ClaimedSystem, FileRules } from './file-policy';
import { isInRepository, isWithin, neverAProject, neverOpen, type Places, REPOSITORY } from './project-rules';
import { isLedThrough, RealPaths, realPath } from './real-path';
import { RUNS_OUTSIDE } from './runs-outside';
import { secretPlaces } from './secrets';

export interface AllowListOptions {
  /** What a person added. Asked anew each time, as are the others. */
  entries: () => readonly AllowEntry[];
  /** Projects whose images may open network connections. */
  networkProjects: () => readonly string[];
  /** Default folders that a person took off. */
  withoutDefaults: () => readonly string[];
  /** Further library folders that other settings name. */
  libraries: () => readonly string[];
  /** Where libraries are that were fetched for a project. */
  fetched?: (project: string) => string;
  home: string;
  dataFolder: string;
  /** Such as /tmp: what lies below may be written to. */
  temporaryFolders: readonly string[];
  platform?: NodeJS.Platform;
}

export class AllowList {
  readonly #options: AllowListOptions;
  readonly #platform: NodeJS.Platform;

  constructor(options: AllowListOptions) {
    this.#options = options;
    this.#platform = options.platform ?? process.platform;
  }

  /** Every row, defaults first, as a person wrote the folders; with `project`, those that hold for it. */
  rows(project?: string): AllowRow[] {
    const off = this.#options.withoutDefaults();
    return this.#rows(project).filter(({ isDefault, folder }) => !isDefault || !off.includes(folder));
  }

  /** Defaults that a person took off, as they would be without that. */
  takenOff(project: string): AllowRow[] {
    const off = this.#options.withoutDefaults();
    return this.#rows(project).filter(({ isDefault, folder }) => isDefault && off.includes(folder));
  }

  /** Why an entry is never in force, whoever wrote it; null for one that is. */
  refusal(entry: AllowEntry): string | null {
    return this.#refusal(entry, this.#places);
  }

  #refusal({ folder, power }: AllowEntry, places: Places): string | null {
    if (!path.isAbsolute(folder)) return `${folder} is no absolute path. Name it from the root.`;
    const never = power === 'write' ? neverAProject : neverOpen;
    const real = realPath(folder);
    // Who may write around it could put a link there at any time, and choose where it leads.
    if (real !== path.resolve(folder))
      return `${folder} is reached by a link. Name the folder itself: ${real}.`;
    const reason = never(real, places);
    return (
      reason &&
      `${folder} cannot be on the allow-list: it is ${reason}. Choose the folder in it that is needed.`
    );
  }

  /** Why no person is asked about a real folder that an image claims: it can only be an attempt to open everything. */
  claimProblem(folder: string): string | null {
    return neverAProject(folder, this.#places);
  }

  /** Whether there is something in them or not. */
  get secrets(): Secret[] {
    const { home, dataFolder } = this.#options;
    return secretPlaces({ platform: this.#platform, home, dataFolder });
  }

  /** With links followed, for the decision on a file. A secret counts where it is linked from, and where it is. */
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
    return { rows, secrets, systems, opened, platform: this.#platform };
  }

  /** What images of the project are confined to, beside the folders of their sessions. */
  confinement(project: string): Confinement {
    const real = new RealPaths();
    const followable = this.#followable(this.rows(project));
    const { rows, secrets, opened = [] } = this.#rules(followable, [], real);
    const there = rows.filter(({ folder }) => existsSync(folder));
    const foldersOf = (isWritable: boolean) =>
      there.filter(({ power }) => (power === 'write') === isWritable).map(({ folder }) => folder);
    const writable = [...new Set([project, ...foldersOf(true)])];
    // Whether there is one or not: equal projects are confined alike, and an image outlives the first `git init`.
    const kept = writable
      .filter((folder) => isFolder(folder) && !isInRepository(folder))
      .map((folder) => path.join(folder, REPOSITORY))
      .filter((at) => !opened.includes(at) && !writable.includes(at) && real.of(at) === at);
    // Libraries are where programs look for them, as well.
    const asWritten = followable.filter((row) => mayBeLinked(row) && existsSync(row.folder));
    const readable = [...asWritten.map(({ folder }) => folder), ...foldersOf(false)];
    return {
      writable,
      readable: [...new Set(readable)].filter((at) => !kept.includes(at)),
      kept,
      added: there.flatMap(({ isDefault, folder }) => (isDefault || !isFolder(folder) ? [] : [folder])),
      // One behind a link is among them by its real path.
      hidden: secrets.flatMap(({ path: at }) => (real.of(at) === at ? hiddenPlace(at) : [])),
      network: this.hasNetwork(project),
    };
  }

  /** Whether a person lets every image of the project open network connections. */
  hasNetwork(project: string): boolean {
    return this.#options.networkProjects().some((of) => isWithin(project, of, this.#platform));
  }

  /** Without libraries behind a link which code may replace by another: it would choose what may be read. */
  #followable(rows: readonly AllowRow[]): AllowRow[] {
    const writable = rows.flatMap(({ folder, power }) => (power === 'write' ? [folder] : []));
    return rows.filter((row) => !mayBeLinked(row) || !isLedThrough(row.folder, writable, this.#platform));
  }

  get #places(): Places {
    const { home, dataFolder, temporaryFolders } = this.#options;
    return {
      platform: this.#platform,
      home: realPath(home),
      dataFolder: realPath(dataFolder),
      temporaryFolders: temporaryFolders.map(realPath),
    };
  }

  /** As `rows`, with the defaults that a person took off. */
  #rows(project: string | undefined): AllowRow[] {
    const places = this.#places;
    const added = this.#options.entries().filter((entry) => this.#refusal(entry, places) === null);
    const own = project === undefined ? [] : [defaultRow(project, 'write', 'the project', project)];
    const fetched = project === undefined ? [] : this.#fetched(project);
    const entries = added.map((entry) => ({ ...entry, isDefault: false }));
    const rows = [...own, ...this.#libraries, ...fetched, ...entries].filter(
      (row) => project === undefined || this.#holdsFor(row, project),
    );
    const kept = new Map(rows.flatMap(keptRows).map((row) => [row.folder, row]));
    return [...own, ...kept.values(), ...rows.slice(own.length)];
  }

  /** What was fetched for the project, by which no other one is reached. */
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

  #holdsFor({ project: of }: AllowRow, project: string): boolean {
    return of === null || isWithin(project, path.resolve(of), this.#platform);
  }
}

/** What a person chose is no link, and one that has come in its place since leads nowhere. */
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

/** Of a folder that may be written, what is there that runs outside. A link is none of that: it would open what it leads to. */
function keptRows({ folder, power, project }: AllowRow): AllowRow[] {
  if (power !== 'write') return [];
  return RUNS_OUTSIDE.flatMap(({ place, reason }) => {
    const at = path.join(folder, place);
    return isFileOrFolder(at) && realPath(at) === path.join(realPath(folder), place)
      ? [defaultRow(at, 'read', reason, project)]
      : [];
  });
}

function isFileOrFolder(at: string): boolean {
  try {
    const found = lstatSync(at, { throwIfNoEntry: false });
    return found !== undefined && (found.isFile() || found.isDirectory());
  } catch {
    return false;
  }
}

function hiddenPlace(at: string): HiddenPlace[] {
  return existsSync(at) ? [{ path: at, isFolder: isFolder(at) }] : [];
}

function isFolder(at: string): boolean {
  return statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Where Lisps keep libraries, in a home folder and in those of the system. */
const IN_HOME = ['quicklisp', 'common-lisp', '.local/share/common-lisp', '.m2/repository'];
const OF_SYSTEM = [
  '/usr/share/common-lisp',
  '/usr/local/share/common-lisp',
  '/usr/share/java',
  '/usr/lib/sbcl',
  '/usr/local/lib/sbcl',
];

/** The folders of libraries that are there, absolute. */
export function libraryFolders(home: string): string[] {
  return [...IN_HOME.map((name) => path.join(home, name)), ...OF_SYSTEM].filter((folder) =>
    existsSync(folder),
  );
}
