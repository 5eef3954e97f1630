/**
 * Decides what is protected: files that programs outside the sandbox execute or obey by themselves, and Lisp
 * Harbor's own installation. Clients and images never write there unless the user allows exactly that place.
 * The one judge for file tools, sandboxes and the choice of projects; a path is judged by its absolute
 * position, whatever folder it was reached from, so callers pass real paths.
 */

import path from 'node:path';
import { PROTECTED_PLACES, type ProtectedPlace } from '../contract/protected-places';
import { entriesOf, flavour, isBelow, isWithin, realPath } from './paths';

export interface ProtectionFacts {
  platform: NodeJS.Platform;
  /** The folders with Lisp Harbor's own code: a clone or an installed app. Real paths. */
  installation: readonly string[];
}

interface Protection {
  /** Absolute path of the protected file or folder, as the judged path spells it. */
  path: string;
  /** Why it is protected, as the end of "is read-only: …". */
  rule: string;
  /** The documentation of the program that obeys it. */
  source: string;
}

/** A protected place on disk. A link has its target, which may be elsewhere. */
interface FoundProtection extends Protection {
  isLink: boolean;
}

export const OWN_CODE = {
  rule: 'it is the code of Lisp Harbor, which runs outside the sandbox',
  source: 'SECURITY.md',
};

/** The gap that every Linux launcher leaves, as a phrase for the user. */
export const RUNS_OUTSIDE_GAP =
  "code can create files that programs outside obey, such as .envrc: at the project's top they are moved away while code runs, else reported; in subfolders, new and changed ones and Git repositories are reported: inspect them first. It can write to one you create meanwhile";

/**
 * Returns every protected place that the file is or lies in, outermost first. The file need not exist.
 * @param file its real path
 */
export function protectionsOf(file: string, { platform, installation }: ProtectionFacts): Protection[] {
  const { sep, parse } = flavour(platform);
  const own = installation
    .filter((folder) => isWithinLoosely(file, folder, platform))
    .map((folder) => ({ ...OWN_CODE, path: folder }));
  const { root } = parse(file);
  const segments = file.slice(root.length).split(sep);
  const names = segments.map(folded);
  const inTable = names.flatMap((_, from) => {
    const found = rowsAt(names[from] ?? '').find(({ steps }) => startsWith(names.slice(from), steps));
    if (found === undefined) return [];
    const at = root + segments.slice(0, from + found.steps.length).join(sep);
    return [protection(at, found.row)];
  });
  return [...own, ...inTable];
}

/** Returns the outermost protected place that the file is or lies in; null if there is none. */
export function protectionOf(file: string, facts: ProtectionFacts): Protection | null {
  return protectionsOf(file, facts)[0] ?? null;
}

/**
 * Returns the existing protected places directly in the folder, and in the subfolders that the table names.
 * @param folder its real path; folders above it count, so `node_modules` has `.bin`
 * @param look called with each of these folders before its entries are read. Another place appears only with a
 *   change in one of them
 */
export function protectedIn(
  folder: string,
  look: (folder: string) => void = () => undefined,
): FoundProtection[] {
  const above = folder.split(path.sep).map(folded);
  const begun = ROWS.flatMap(({ row, steps }) =>
    steps
      .map((_, count) => count)
      .filter((count) => count > 0 && startsWith(above.slice(-count), steps.slice(0, count)))
      .map((count) => ({ row, steps: steps.slice(count) })),
  );
  return existing(folder, begun.length === 0 ? rowsAt : indexed([...ROWS, ...begun]), look);
}

/** Rows of which the folders above matched all steps but these. */
export type BegunRows = readonly CompiledRow[];

/**
 * Judges an entry of a folder while a caller walks down: the place that it is, or the rows to go on with.
 * @param begun the result for the folder
 */
export function placeAt(name: string, begun: BegunRows): ProtectedPlace | BegunRows {
  const key = folded(name);
  const found = [...rowsAt(key), ...begun.filter(({ steps }) => matches(key, steps[0]))];
  const whole = found.find(({ steps }) => steps.length === 1);
  return whole?.row ?? found.map(({ row, steps }) => ({ row, steps: steps.slice(1) }));
}

/** @param first finds the rows whose first open step matches a folded name */
function existing(
  folder: string,
  first: (name: string) => CompiledRow[],
  look: (folder: string) => void,
): FoundProtection[] {
  look(folder);
  return entriesOf(folder).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    const found = first(folded(entry.name));
    const whole = found.find(({ steps }) => steps.length === 1);
    if (whole) return [{ ...protection(at, whole.row), isLink: entry.isSymbolicLink() }];
    const deeper = found.map(({ row, steps }) => ({ row, steps: steps.slice(1) }));
    return deeper.length > 0 && entry.isDirectory() ? existing(at, indexed(deeper), look) : [];
  });
}

function protection(at: string, { reason, source }: ProtectedPlace): Protection {
  return { path: at, rule: reason, source };
}

/** A pattern of one name: text, or a test for a name with `*`. */
type Step = string | RegExp;

interface CompiledRow {
  row: ProtectedPlace;
  steps: readonly Step[];
}

function compiled(row: ProtectedPlace): CompiledRow {
  const steps = row.place.split('/').map((name) => {
    if (!name.includes('*')) return name;
    return new RegExp(`^${name.replaceAll(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
  });
  return { row, steps };
}

const ROWS = PROTECTED_PLACES.map(compiled);
const rowsAt = indexed(ROWS);

/** Returns a function that finds the rows whose first step matches a folded name. */
function indexed(rows: readonly CompiledRow[]): (name: string) => CompiledRow[] {
  const literal = Map.groupBy(rows, ({ steps }) => (typeof steps[0] === 'string' ? steps[0] : null));
  const patterns = literal.get(null) ?? [];
  const any = new RegExp(
    patterns.map(({ steps: [step] }) => (step as RegExp).source).join('|') || '(?!)',
    's',
  );
  return (name) => {
    const matched = any.test(name) ? patterns.filter(({ steps }) => matches(name, steps[0])) : [];
    return [...(literal.get(name) ?? []), ...matched];
  };
}

function startsWith(names: readonly string[], steps: readonly Step[]): boolean {
  return steps.every((step, index) => matches(names[index] ?? '', step));
}

function matches(name: string, step: Step | undefined): boolean {
  return typeof step === 'string' ? name === step : step?.test(name) === true;
}

/** File systems may give a file several names, which differ in case or Unicode normalization. */
export function folded(name: string): string {
  if (/^[ -~]*$/.test(name)) return name.toLowerCase();
  return name.normalize('NFKC').toLowerCase().normalize('NFC');
}

/** Like `isWithin`, for every name that a file system may accept for the same file. */
export function isWithinLoosely(file: string, folder: string, platform: NodeJS.Platform): boolean {
  return looselyWithin(file, platform)(folder);
}

/** Returns a function that tests folders as `isWithinLoosely` does. */
export function looselyWithin(file: string, platform: NodeJS.Platform): (folder: string) => boolean {
  const name = folded(file);
  return (folder) => isWithin(file, folder, platform) || isWithin(name, folded(folder), platform);
}

export interface Places extends ProtectionFacts {
  home: string;
  dataFolder: string;
  /** The files in which this user's MCP clients keep their servers. */
  clientFiles: readonly string[];
  /** Folders whose subfolders may be projects, but not the folders themselves. */
  temporaryFolders: readonly string[];
}

/** The places as the composition root names them, with links. */
export interface NamedPlaces extends Pick<Places, 'home' | 'dataFolder' | 'temporaryFolders'> {
  platform?: NodeJS.Platform;
  installation?: readonly string[];
  clientFiles?: readonly string[];
}

/** Resolves links at this moment. */
export function realPlaces({
  platform = process.platform,
  home,
  dataFolder,
  installation = [],
  clientFiles = [],
  temporaryFolders,
}: NamedPlaces): Places {
  return {
    platform,
    home: realPath(home),
    dataFolder: realPath(dataFolder),
    installation: installation.map(realPath),
    clientFiles: clientFiles.map(realPath),
    temporaryFolders: temporaryFolders.map(realPath),
  };
}

/** Temporary folders of every Unix, even if TMPDIR names another; macOS has them in /private. */
const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp'];

/** First path segments of system folders. */
const UNIX = 'bin boot dev etc lib lib32 lib64 libx32 opt proc root run sbin sys usr var'.split(' ');
const SYSTEM: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [...UNIX, 'Applications', 'Library', 'System', 'cores', 'private'],
  win32: ['windows', 'program files', 'program files (x86)', 'programdata', '$recycle.bin', 'recovery'],
};

/** Returns why the folder cannot be a project, as the end of "it is …"; null if the user may choose it. */
export function projectRefusal(folder: string, places: Places): string | null {
  return writeRefusal(folder, places) ?? placeRefusal(folder, places);
}

/** Returns the protected place that the folder is or lies in, as the end of "it is …"; null if there is none. */
export function placeRefusal(folder: string, { platform }: Places): string | null {
  const inTable = protectionsOf(folder, { platform, installation: [] }).find(
    ({ path: at }) => !isWorkTree(folder, at, platform),
  );
  return inTable ? `a protected place, ${inTable.path}: ${inTable.rule}` : null;
}

/**
 * Returns why the folder as a whole can never be written, as the end of "it is …"; null if the user may allow
 * it.
 */
export function writeRefusal(folder: string, places: Places): string | null {
  const { platform, home, temporaryFolders, installation, clientFiles } = places;
  const never = readRefusal(folder, places);
  if (never !== null) return never;
  if (installation.some((own) => isWithinLoosely(folder, own, platform)))
    return "Lisp Harbor's own installation, whose code runs outside the sandbox";
  if (installation.some((own) => isWithinLoosely(own, folder, platform)))
    return "a folder that contains Lisp Harbor's own installation";
  if (clientFiles.some((file) => isWithinLoosely(file, folder, platform)))
    return 'a folder that contains the settings of an MCP client';
  const temporary = [...temporaryFolders, ...(platform === 'win32' ? [] : TEMPORARY)];
  const below = (other: string) => isBelow(folder, other, platform);
  if (temporary.some((other) => isWithin(other, folder, platform)))
    return 'a system-wide folder for temporary files';
  if (below(home) || isWithin(folder, places.dataFolder, platform) || temporary.some(below)) return null;
  return isSystem(folder, platform) ? 'a system folder' : null;
}

/** Returns why clients may not read the folder as a whole, as the end of "it is …"; null if they may. */
export function readRefusal(folder: string, { platform, home, dataFolder }: Places): string | null {
  const holds = (other: string) => isWithin(other, folder, platform);
  if (flavour(platform).parse(folder).root === folder) return 'the root of the file system';
  if (holds(home) && isWithin(folder, home, platform)) return 'your home folder';
  if (holds(home)) return 'a folder that contains your home folder';
  if (holds(dataFolder)) return "a folder that contains Lisp Harbor's own data";
  if (!isBelow(folder, dataFolder, platform)) return null;
  const scratch = flavour(platform).join(dataFolder, 'scratch');
  return isWithin(folder, scratch, platform) ? null : "inside Lisp Harbor's own data folder";
}

/** Folders of agents in which they check out work trees, at `worktrees/NAME`. */
const WITH_WORK_TREES = ['.claude', '.cursor', '.codex'];

/** Reports whether the folder is or lies in a work tree that an agent keeps in its own folder. */
function isWorkTree(folder: string, agentFolder: string, platform: NodeJS.Platform): boolean {
  const { basename, relative, sep } = flavour(platform);
  const [first, name] = relative(agentFolder, folder).split(sep);
  return (
    WITH_WORK_TREES.includes(folded(basename(agentFolder))) && first === 'worktrees' && name !== undefined
  );
}

function isSystem(folder: string, platform: NodeJS.Platform): boolean {
  const { root } = flavour(platform).parse(folder);
  const first = folder.slice(root.length).split(flavour(platform).sep)[0] ?? '';
  const known = SYSTEM[platform] ?? UNIX;
  return known.includes(platform === 'win32' ? first.toLowerCase() : first);
}
