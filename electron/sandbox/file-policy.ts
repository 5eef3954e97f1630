/**
 * Decides whether a file may be read or written. Pure: paths are compared as text, so callers pass real paths
 * (links resolved) and must make sure that the file they open is still that path.
 */

import path from 'node:path';
import { FileRefused } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import type { AllowAccess, AllowRow, Secret } from '../contract/sandbox';
import { isWithin } from './paths';
import { isWithinLoosely, looselyWithin, type ProtectionFacts, protectionsOf } from './protection';

export type FileUse = 'read' | 'write';

/** A loaded system and its source folder, as claimed by the image of a session. */
export interface ClaimedSystem {
  name: string;
  folder: string;
  session: string;
}

/** The rules of one project. All folders are real paths. */
export interface FileRules extends ProtectionFacts {
  rows: readonly AllowRow[];
  secrets: readonly Secret[];
  /** Loaded systems as claimed by images; they count inside a library only. */
  systems: readonly ClaimedSystem[];
  /** Protected paths that the user made writable for clients. */
  opened?: readonly string[];
}

export type FileDecision =
  | { allowed: true; row: AllowRow }
  /** No row, or none with that power. */
  | { allowed: false; rule: 'not_listed' }
  | { allowed: false; rule: 'read_only'; row: AllowRow }
  | { allowed: false; rule: 'not_loaded'; row: AllowRow }
  | { allowed: false; rule: 'secret'; secret: Secret };

/**
 * Decides by the row nearest to the file; among rows for the same folder, by the most permissive one.
 * @param requested the absolute path that led there; a link at a protected place is as protected as its target
 */
export function decideFile(
  real: string,
  use: FileUse,
  rules: FileRules,
  requested: string = real,
): FileDecision {
  const { secrets, platform } = rules;
  const isIn = looselyWithin(real, platform);
  const secret = secrets.find((each) => isIn(each.path));
  const rows = rules.rows
    .filter(({ folder }) => isWithin(real, folder, platform))
    .filter((row) => secret === undefined || names(row, secret, platform));
  const row = rows.sort(nearestFirst)[0];
  if (!row)
    return secret ? { allowed: false, rule: 'secret', secret } : { allowed: false, rule: 'not_listed' };
  const readOnlyRow =
    use === 'write' && row.power === 'write'
      ? (protectedRow(row, real, rules) ?? protectedRow(row, requested, rules))
      : null;
  if (readOnlyRow) return { allowed: false, rule: 'read_only', row: readOnlyRow };
  if (row.power === 'write') return { allowed: true, row };
  if (use === 'write') return { allowed: false, rule: 'read_only', row };
  if (row.power === 'read' || isOfLoadedSystem(real, row, rules)) return { allowed: true, row };
  return { allowed: false, rule: 'not_loaded', row };
}

/**
 * Returns the error for a refused file: the rule that applies, and the entry that would allow it.
 * @param requested the requested path, made absolute
 */
export function refusal(
  decision: Extract<FileDecision, { allowed: false }>,
  requested: string,
  project: string,
  use: FileUse,
): HarborError {
  if (decision.rule === 'secret') return secretRefusal(requested, decision.secret);
  const why = `${requested} ${reasonOf(decision, requested, project, use)}`;
  return new FileRefused('path_not_allowed', why, { path: requested, use, project });
}

/** Returns the error for a file that an image claims for a system when there is no window to ask the user. */
export function claimRefusal(requested: string, project: string, { name, folder, session }: ClaimedSystem) {
  return new HarborError(
    'path_not_allowed',
    `${requested} ${outside(project)} ${session} claims that it belongs to the loaded system ${name}. A claim by an image opens files in approved libraries only, and this instance has no window in which to ask the user. ${howToAllow(folder, 'read')}`,
  );
}

function reasonOf(
  decision: Extract<FileDecision, { rule: 'not_listed' | 'read_only' | 'not_loaded' }>,
  requested: string,
  project: string,
  use: FileUse,
): string {
  if (decision.rule === 'not_listed') return `${outside(project)} ${toOpen(requested, use)}`;
  const { folder, reason } = decision.row;
  const entry = `the allow-list entry ${folder}${reason && ` (${reason})`}`;
  if (decision.rule === 'read_only')
    return `is read-only: ${entry} does not allow writing. ${howToAllow(folder, 'write')}`;
  return `belongs to a library, ${entry}, whose files can be read after their system is loaded in a session of this project. Load the system first. ${howToAllow(folder, 'read')}`;
}

function outside(project: string): string {
  return `is outside the project ${project} and the folders on the allow-list (symbolic links are resolved).`;
}

/** For reading, suggests the file itself; for writing, its folder, because the file may not exist yet. */
function toOpen(requested: string, use: FileUse): string {
  return use === 'write' ? howToAllow(path.dirname(requested), 'write') : howToAllow(requested, 'read');
}

/** Returns the sentence that tells the agent how its user can allow a path. */
export function howToAllow(folder: string, power: AllowAccess): string {
  const entry = JSON.stringify({ folder, power, reason: '…' });
  return `The user can allow it in the window (Sandbox, Add to the allow-list) or under "allowList" in settings.json: ${entry}.`;
}

export function secretRefusal(requested: string, { path: at, holds, isSealed }: Secret): HarborError {
  const why =
    requested === at ? `${at} contains ${holds}` : `${requested} is inside ${at}, which contains ${holds}`;
  const remedy = isSealed
    ? 'Clients can never open it.'
    : `It is refused even inside an allowed folder; only an entry that names it allows it. ${howToAllow(requested, 'read')}`;
  return new HarborError('secret_path', `${why}. ${remedy}`);
}

/**
 * Returns the read-only row of the outermost protected place around the file that no row opens; null if there
 * is none. A row opens a place by naming it or something in it, never by lying around it.
 */
function protectedRow(row: AllowRow, file: string, rules: FileRules): AllowRow | null {
  const { rows, opened = [], platform } = rules;
  const opens = ({ folder, power }: AllowRow, place: string) =>
    power === 'write' && isWithin(file, folder, platform) && isWithinLoosely(folder, place, platform);
  const closed = protectionsOf(file, rules).find(
    ({ path: at }) => !opened.includes(at) && !rows.some((each) => opens(each, at)),
  );
  return closed ? { ...row, folder: closed.path, power: 'read', reason: closed.rule, isDefault: true } : null;
}

/** Reports whether the row names the secret or something in it, rather than a folder around it. */
function names({ folder, isDefault }: AllowRow, secret: Secret, platform: NodeJS.Platform): boolean {
  return isWithinLoosely(folder, secret.path, platform) && (isDefault || !secret.isSealed);
}

/** Claims by an image count only inside the library that the user allowed. */
function isOfLoadedSystem(real: string, { folder }: AllowRow, { systems, platform }: FileRules): boolean {
  return systems.some(
    (system) => isWithin(system.folder, folder, platform) && isWithin(real, system.folder, platform),
  );
}

const STRENGTH: readonly AllowAccess[] = ['write', 'read', 'library'];

function nearestFirst(a: AllowRow, b: AllowRow): number {
  return b.folder.length - a.folder.length || STRENGTH.indexOf(a.power) - STRENGTH.indexOf(b.power);
}

/**
 * Control, zero-width and bidirectional characters. File systems drop or keep them, and users cannot see
 * them.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f/u;

/** A lone surrogate, which no file name can contain; encoding it would change the name. */
const LONE_SURROGATE = /\p{Cs}/u;

/** `C:`, `\\server`, `\\?\`, `\\.\`, and the same with slashes, which Windows treats alike. */
const WINDOWS_DRIVE = /^[a-z]:/i;
const WINDOWS_DEVICE = /^[\\/]{2}/;

/** An alternate data stream (NTFS): `a.lisp:hidden`, `a.lisp::$DATA`. */
const STREAM = /:[^:\\/]*:?\$\w+$/i;

/** Names that Windows reserves for devices in every folder, with any extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

/** A Windows 8.3 short name (`PROGRA~1`), an alias of another name. */
const SHORT_NAME = /^[^~.]{1,6}~\d+(\.[^.]{0,3})?$/;

/**
 * Checks the text of a path before any file is touched: names of another system, invisible characters, and
 * text that normalizes to another path. Pure.
 * @returns why the path is refused, as the end of "it …"; null if it is accepted
 */
export function pathTextProblem(file: string, platform: NodeJS.Platform): string | null {
  if (file === '') return 'is empty';
  if (LONE_SURROGATE.test(file)) return 'contains text that is not valid in a file name';
  if (INVISIBLE.test(file)) return 'contains invisible characters';
  const normal = segmentThatNormalises(file);
  if (normal !== null) return `contains ${JSON.stringify(normal)}, which normalizes to another path`;
  if (STREAM.test(file)) return 'names an alternate data stream, not a file';
  return platform === 'win32' ? refusedOnWindows(file) : refusedOnUnix(file);
}

function refusedOnUnix(file: string): string | null {
  if (WINDOWS_DRIVE.test(file) && /^..($|[\\/])/.test(file)) return 'begins with a Windows drive';
  if (file.startsWith('//')) return 'names another computer';
  return file.includes('\\') ? 'contains backslashes; separate folders with /' : null;
}

function refusedOnWindows(file: string): string | null {
  if (WINDOWS_DEVICE.test(file)) return 'names a device or another computer';
  if (/^[a-z]:(?![\\/])/i.test(file)) return 'is relative to a drive; start at the root of the drive';
  const rest = file.replace(WINDOWS_DRIVE, '');
  if (rest.includes(':')) return 'names an alternate data stream, not a file';
  for (const segment of rest.split(/[\\/]/)) {
    if (/[. ]$/.test(segment) && !/^\.{1,2}$/.test(segment))
      return 'contains a name that ends with a dot or a space';
    if (DEVICE_NAME.test(segment)) return `names the device ${segment}`;
    if (SHORT_NAME.test(segment)) return `contains the short name ${segment}; use the full name`;
  }
  return null;
}

/**
 * Returns the first segment that becomes `.`, `..` or contains a separator under compatibility normalization.
 */
function segmentThatNormalises(file: string): string | null {
  const segments = file.split(/[\\/]/);
  const hidden = (segment: string) => {
    const normal = segment.normalize('NFKC');
    return normal !== segment && (/[\\/:\0]/.test(normal) || /^\.{1,2}$/.test(normal));
  };
  return segments.find(hidden) ?? null;
}
