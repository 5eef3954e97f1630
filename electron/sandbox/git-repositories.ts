/**
 * Judges by Git's own rules what a repository is, and which files decide what Git runs in it. Git goes by
 * structure, not by a name: a folder with `HEAD`, `objects` and `refs` is a repository, and its settings name
 * programs and further files of settings (gitrepository-layout(5), git-config(1)). Nothing is executed.
 */

import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { entriesOf, foldersAbove, isWithin, REPOSITORY, realPath } from './paths';
import { type BegunRows, placeAt } from './protection';

/** A file or folder that decides what Git runs, whether it exists or not. */
interface GitPlace {
  /** Real path, as far as it exists. */
  path: string;
  /** Why it is read-only. */
  reason: string;
}

export const REPOSITORY_REASON = 'Git would take the folder for a repository, and run what it names';
const GIT_FOLDER = 'Git runs its hooks and settings outside the sandbox';
const INCLUDED = 'the settings of a Git repository include it';
const NAMED = 'the settings of a Git repository name it, and Git runs or obeys it outside the sandbox';

/**
 * Reports whether Git accepts the folder itself as a repository, as soon as the files `added` exist. Their
 * content does not count, because it can be written later.
 */
function isGitFolder(folder: string, added: readonly string[] = []): boolean {
  const has = (name: string) =>
    exists(path.join(folder, name)) || added.some((file) => passes(folder, name, file));
  return has('HEAD') && ((has('objects') && has('refs')) || has('commondir'));
}

/**
 * Returns the folder that would become a repository, or is one, if the files were written; null if there is
 * none. Looks at all folders above them.
 * @param files real paths
 */
export function completedRepository(files: readonly string[]): string | null {
  const folders = files.flatMap((file) => {
    const above = foldersAbove(file);
    // Another file leaves the structure as it is, and lies in a repository at most.
    return isPartOfRepository(file) ? above : above.filter((folder) => isGitFolder(folder));
  });
  return [...new Set(folders)].find((folder) => isGitFolder(folder, files)) ?? null;
}

/** Reports whether the name of the file, or of a folder above it, is one that Git expects in a repository. */
export function isPartOfRepository(file: string): boolean {
  return file.split(path.sep).some((name) => PARTS.has(name.toLowerCase()));
}

const PARTS: ReadonlySet<string> = new Set(['head', 'objects', 'refs', 'commondir']);

/** Reports whether `file` is `folder/name` or in it; some file systems ignore case. */
function passes(folder: string, name: string, file: string): boolean {
  const [first] = path.relative(folder, file).split(path.sep);
  return first?.toLowerCase() === name.toLowerCase();
}

/** A repository as Git finds it in a folder: `.git` in it, or the folder itself. */
export interface Repository {
  /** `.git`, whatever kind of file it is, or the folder of a bare repository. */
  at: string;
  /** The folder with the work tree; for a bare repository the folder itself. */
  workTree: string;
  /** Changes if another repository takes its place. */
  identity: string;
}

/** Returns the repository directly in the folder; null if there is none. */
function repositoryIn(folder: string): Repository | null {
  const at = path.join(folder, REPOSITORY);
  const identity = identityOf(at);
  if (identity !== null) return { at, workTree: folder, identity };
  return isGitFolder(folder) ? { at: folder, workTree: folder, identity: identityOf(folder) ?? '' } : null;
}

/** Returns the device and inode of the file, and the text of a link or file; null if there is none. */
function identityOf(at: string): string | null {
  const found = lstatSync(at, { throwIfNoEntry: false });
  if (!found) return null;
  const text = found.isSymbolicLink() ? readlinkSync(at) : found.isFile() ? textOf(at) : '';
  return `${found.dev} ${found.ino} ${text}`;
}

/**
 * Returns everything that decides what Git runs in the repository, wherever it is.
 * @param home the folder with the user's own settings of Git
 */
export function placesOf({ at, workTree }: Repository, home = homedir()): GitPlace[] {
  const places = new Map<string, GitPlace>();
  const add = (named: string, reason: string) => {
    const real = realPath(named);
    if (!places.has(real)) places.set(real, { path: real, reason });
  };
  add(at, GIT_FOLDER);
  const own = gitFoldersOf({ at });
  for (const each of own) add(each, GIT_FOLDER);
  const settings = own.flatMap((each) => [path.join(each, 'config'), path.join(each, 'config.worktree')]);
  const ofUser = ['.gitconfig', '.config/git/config'].map((name) => path.join(home, name));
  const bases = [...new Set([workTree, ...own])];
  const read = new Set<string>();
  const visit = (file: string, depth: number) => {
    const real = realPath(file);
    if (read.has(real) || depth > MOST_INCLUDES) return;
    read.add(real);
    for (const { key, value } of settingsIn(textOf(real))) {
      if (INCLUDE.test(key)) {
        const included = path.resolve(path.dirname(file), expanded(value, home));
        add(included, INCLUDED);
        visit(included, depth + 1);
      } else if (!NAMES_NO_PROGRAM.test(key)) {
        for (const each of filesNamedBy(key, value, bases, home)) add(each, NAMED);
      }
    }
  };
  for (const file of [...settings, ...ofUser, '/etc/gitconfig']) visit(file, 0);
  return [...places.values()];
}

/** Maximum depth of includes, as in Git. */
const MOST_INCLUDES = 10;

const INCLUDE = /^include(if\..*)?\.path$/s;

/** Settings whose values look like paths but are addresses, names of branches, or text. */
const NAMES_NO_PROGRAM =
  /^(remote\..*\.(url|pushurl|fetch|push)|branch\..*|submodule\..*\.(url|branch|path)|url\..*|user\..*|core\.worktree|safe\.directory)$/s;

/** Settings whose whole value is a path. */
const WHOLE_PATH = /^core\.(hookspath|attributesfile|excludesfile)$/;

/** Settings whose values are commands; what they name counts even while it does not exist. */
const COMMAND =
  /^(alias|pager|filter|diff|merge|mergetool|difftool|credential|trailer|gpg|sequence|interactive|uploadpack|receive|hook|man|browser|guitool)\..*|^core\.(fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)$/s;

/** Returns the files that a value names: a path, or the words of a command. */
function filesNamedBy(key: string, value: string, bases: readonly string[], home: string): string[] {
  const resolved = (word: string) => {
    const file = expanded(word, home);
    return path.isAbsolute(file) ? [file] : bases.map((base) => path.resolve(base, file));
  };
  if (WHOLE_PATH.test(key)) return resolved(value);
  const words = value.replace(/^!/, '').split(/[\s"'`;|&()<>=]+/);
  return words.flatMap((word) => {
    const mayAppear = COMMAND.test(key) && word.includes('/');
    return resolved(word).filter((file) => !isFolder(file) && (mayAppear || exists(file)));
  });
}

function expanded(file: string, home: string): string {
  return file.startsWith('~/') ? path.join(home, file.slice(2)) : file;
}

/** Returns the Git folder that `.git` is or names; null if it names none. */
function gitFolderAt(at: string): string | null {
  const found = statSync(at, { throwIfNoEntry: false });
  if (found?.isDirectory()) return realPath(at);
  const [, named] = /^gitdir: (.*?)\s*$/m.exec(found?.isFile() ? textOf(at) : '') ?? [];
  return named === undefined ? null : realPath(path.resolve(path.dirname(realPath(at)), named));
}

/** Returns the folders with settings of the repository. */
export function gitFoldersOf({ at }: Pick<Repository, 'at'>): string[] {
  const folder = gitFolderAt(at);
  return folder === null ? [] : gitFolders(folder);
}

/** Returns the folder, the one that it shares with other work trees, and those of its submodules. */
function gitFolders(folder: string): string[] {
  const common = textOf(path.join(folder, 'commondir')).trim();
  const shared = common === '' ? folder : realPath(path.resolve(folder, common));
  return [...new Set([folder, shared, ...submodules(path.join(shared, 'modules'), 0)])];
}

const MOST_LEVELS = 6;

function submodules(folder: string, depth: number): string[] {
  if (depth > MOST_LEVELS) return [];
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const at = path.join(folder, name);
      return isGitFolder(at)
        ? [at, ...submodules(path.join(at, 'modules'), depth + 1)]
        : submodules(at, depth + 1);
    });
}

/** Maximum size of a file of settings in characters. */
const MOST_TEXT = 1024 * 1024;

/** Empty if it cannot be read. */
function textOf(file: string): string {
  try {
    if (!statSync(file).isFile()) return '';
    return readFileSync(file, 'utf8').slice(0, MOST_TEXT);
  } catch {
    return '';
  }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Parses settings (git-config(1), CONFIGURATION FILE). Keys are in lower case except for subsections. */
export function settingsIn(text: string): { key: string; value: string }[] {
  const found: { key: string; value: string }[] = [];
  let section = '';
  const lines = text.replaceAll('\r\n', '\n').replaceAll(/\\\n/g, '').split('\n');
  for (const line of lines) {
    const [header, name = '', sub] = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
    if (header !== undefined)
      section =
        sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub.replaceAll(/\\(.)/g, '$1')}`;
    const [, key, value = 'true'] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=(.*))?$/s.exec(line.slice(header?.length ?? 0)) ?? [];
    if (key !== undefined) found.push({ key: `${section}.${key.toLowerCase()}`, value: unquoted(value) });
  }
  return found;
}

/** Removes quotes, escapes and the comment of a value. */
function unquoted(value: string): string {
  let text = '';
  let isQuoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at] ?? '';
    if (character === '\\') {
      at += 1;
      text += value[at] ?? '';
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '#' || character === ';')) break;
    else text += character;
  }
  return text.trim();
}

/** Maximum number of folder entries to visit in one scan; SECURITY.md names it. */
const MOST_ENTRIES = 50_000;

/**
 * How long a scan counts: a person creates repositories, and code that does is reported. A long scan counts
 * for this many times its duration.
 */
const FRESH_MS = 2_000;
const FRESH_TIMES = 50;

/** A protected place below the folder of a scan. */
export interface DeepPlace {
  at: string;
  rule: string;
}

/** The repositories in and above one folder, and the protected places of the table in it, at any depth. */
export class RepositoryScan {
  readonly #folder: string;
  readonly #freshUntil: number;
  readonly repositories: readonly Repository[];
  readonly protectedPlaces: readonly DeepPlace[];
  #places: GitPlace[] | null = null;

  private constructor(folder: string, before?: (folder: string) => void) {
    const begun = Date.now();
    this.#folder = folder;
    const { repositories, protectedPlaces } = below(folder, before);
    this.repositories = [
      ...foldersAbove(folder).flatMap((each) => repositoryIn(each) ?? []),
      ...repositories,
    ];
    this.protectedPlaces = protectedPlaces;
    const now = Date.now();
    this.#freshUntil = now + Math.max(FRESH_MS, FRESH_TIMES * (now - begun));
  }

  static readonly #recent = new Map<string, RepositoryScan>();

  /** @param folder its real path */
  static of(folder: string): RepositoryScan {
    const known = RepositoryScan.#recent.get(folder);
    return known && Date.now() < known.#freshUntil ? known : RepositoryScan.fresh(folder);
  }

  /**
   * Scans again, whatever earlier scans found.
   * @param before called before a folder is read
   */
  static fresh(folder: string, before?: (folder: string) => void): RepositoryScan {
    const scan = new RepositoryScan(folder, before);
    RepositoryScan.#recent.delete(folder);
    RepositoryScan.#recent.set(folder, scan);
    const [oldest] = RepositoryScan.#recent.keys();
    if (RepositoryScan.#recent.size > MOST_SCANS && oldest !== undefined)
      RepositoryScan.#recent.delete(oldest);
    return scan;
  }

  /** Returns what decides about these repositories and is inside the folder. */
  get places(): readonly GitPlace[] {
    this.#places ??= this.repositories
      .flatMap((each) => placesOf(each))
      .filter((place) => place.path !== this.#folder && isWithin(place.path, this.#folder, process.platform));
    return this.#places;
  }

  /** Returns the paths of those that exist outside of Git's own folders. */
  get existingPlaces(): readonly string[] {
    return this.places.flatMap(({ path: at, reason }) => (reason !== GIT_FOLDER && exists(at) ? [at] : []));
  }
}

const MOST_SCANS = 20;

/** Names of which a folder with a repository has one. */
const BEGINS: ReadonlySet<string> = new Set([REPOSITORY, 'head']);

/** A folder to look into; `begun` is null in a protected place. */
interface Waiting {
  at: string;
  begun: BegunRows | null;
}

/** Looks into the folder and below it, upper levels first, but not into `.git` and the objects of others. */
function below(
  folder: string,
  before?: (folder: string) => void,
): Pick<RepositoryScan, 'repositories' | 'protectedPlaces'> {
  const repositories: Repository[] = [];
  const protectedPlaces: DeepPlace[] = [];
  const found = { repositories, protectedPlaces };
  let waiting: Waiting[] = [{ at: folder, begun: [] }];
  let remaining = MOST_ENTRIES;
  while (waiting.length > 0) {
    const next: Waiting[] = [];
    for (const { at, begun } of waiting) {
      before?.(at);
      const entries = entriesOf(at);
      const repository = entries.some(({ name }) => BEGINS.has(name.toLowerCase())) ? repositoryIn(at) : null;
      if (repository) repositories.push(repository);
      for (const entry of entries) {
        remaining -= 1;
        if (remaining < 0) return found;
        if (entry.name === REPOSITORY || (repository?.at === at && entry.name === 'objects')) continue;
        const place = begun && placeAt(entry.name, begun);
        const isPlace = place !== null && 'reason' in place;
        if (isPlace) protectedPlaces.push({ at: path.join(at, entry.name), rule: place.reason });
        if (entry.isDirectory()) next.push({ at: path.join(at, entry.name), begun: isPlace ? null : place });
      }
    }
    waiting = next;
  }
  return found;
}
