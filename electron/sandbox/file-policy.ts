/**
 * Whether a file may be read or written. Pure: paths are compared as text, so they must be real ones, with symbolic
 * links followed. Who acts on the answer has to make sure that what is opened still is that path.
 */
import path from 'node:path';
import type { AllowPower, AllowRow, Secret } from '../contract/allow-list';
import { HarborError } from '../contract/errors';
import { FileRefused } from '../contract/needs';
import { isWithin } from './project-rules';
import { placeThatRuns } from './runs-outside';

export type FileUse = 'read' | 'write';

/** A loaded system and the folder of its sources, as the image of a session claims them. */
export interface ClaimedSystem {
  name: string;
  folder: string;
  session: string;
}

/** What is in force for one project. All folders are real paths. */
export interface FileRules {
  rows: readonly AllowRow[];
  secrets: readonly Secret[];
  /** The systems that are loaded, as images claim them: they count inside a library only. */
  systems: readonly ClaimedSystem[];
  /** What a person lets clients write although it runs outside. */
  opened?: readonly string[];
  platform: NodeJS.Platform;
}

export type FileDecision =
  | { allowed: true; row: AllowRow }
  /** No row, or none with that power. */
  | { allowed: false; rule: 'not_listed' }
  | { allowed: false; rule: 'read_only'; row: AllowRow }
  | { allowed: false; rule: 'not_loaded'; row: AllowRow }
  | { allowed: false; rule: 'secret'; secret: Secret };

/** The row that is nearest to the file decides; of several for one folder the one that allows the most. */
export function decideFile(real: string, use: FileUse, rules: FileRules): FileDecision {
  const { secrets, platform } = rules;
  const secret = secrets.find((each) => isWithinLoosely(real, each.path, platform));
  const rows = rules.rows
    .filter(({ folder }) => isWithin(real, folder, platform))
    .filter((row) => secret === undefined || names(row, secret, platform));
  const row = rows.sort(nearestFirst)[0];
  if (!row)
    return secret ? { allowed: false, rule: 'secret', secret } : { allowed: false, rule: 'not_listed' };
  const kept = use === 'write' && row.power === 'write' ? keptIn(row, real, rules) : null;
  if (kept) return { allowed: false, rule: 'read_only', row: kept };
  if (row.power === 'write') return { allowed: true, row };
  if (use === 'write') return { allowed: false, rule: 'read_only', row };
  if (row.power === 'read' || isOfLoadedSystem(real, row, rules)) return { allowed: true, row };
  return { allowed: false, rule: 'not_loaded', row };
}

/** The refusal for people and agents: the rule, and what a person could allow.
 * @param asked the path as the call named it, made absolute */
export function refusal(
  decision: Extract<FileDecision, { allowed: false }>,
  asked: string,
  project: string,
  use: FileUse,
): HarborError {
  if (decision.rule === 'secret') return secretRefusal(asked, decision.secret);
  const why = `${asked} ${reasonOf(decision, asked, project, use)}`;
  return new FileRefused('path_not_allowed', why, { path: asked, use, project });
}

/** The refusal of a file that an image claims for a system, where nobody can be asked: what would open that system. */
export function claimRefusal(asked: string, project: string, { name, folder, session }: ClaimedSystem) {
  return new HarborError(
    'path_not_allowed',
    `${asked} ${outside(project)} ${session} says that it belongs to the system ${name}, which is loaded; what an image says opens no file beyond the approved libraries, and this harbor has no window to ask a person in. ${howToAllow(folder, 'read')}`,
  );
}

function reasonOf(
  decision: Extract<FileDecision, { rule: 'not_listed' | 'read_only' | 'not_loaded' }>,
  asked: string,
  project: string,
  use: FileUse,
): string {
  if (decision.rule === 'not_listed') return `${outside(project)} ${toOpen(asked, use)}`;
  const { folder, reason } = decision.row;
  const entry = `the allow-list's entry ${folder}${reason && ` (${reason})`}`;
  if (decision.rule === 'read_only')
    return `may be read, not written: ${entry} has no power to write. ${howToAllow(folder, 'write')}`;
  return `belongs to a library, ${entry}, of which files are read once their system is loaded in a session of this project. Load the system first. ${howToAllow(folder, 'read')}`;
}

function outside(project: string): string {
  return `lies, or leads, outside of the project ${project} and of the folders on the allow-list.`;
}

/** A file may be there to be read; to be written it may have to be made. */
function toOpen(asked: string, use: FileUse): string {
  return use === 'write' ? howToAllow(path.dirname(asked), 'write') : howToAllow(asked, 'read');
}

/** What an agent is to tell its person, who alone can do it. */
export function howToAllow(folder: string, power: AllowPower): string {
  const entry = JSON.stringify({ folder, power, reason: '…' });
  return `A person can allow it in the window (Sandbox, Add to the allow-list) or under "allowList" in settings.json: ${entry}.`;
}

export function secretRefusal(asked: string, { path: at, holds, isSealed }: Secret): HarborError {
  const why = `${asked} lies, or leads, in ${at}, where ${holds} are kept`;
  const remedy = isSealed
    ? 'It is never opened to clients.'
    : `It is refused inside an allowed folder too; only an entry that names it opens it. ${howToAllow(asked, 'read')}`;
  return new HarborError('secret_path', `${why}. ${remedy}`);
}

/** What runs outside and may be read only: by its name, whether it is there or not, in any folder below. */
function keptIn(row: AllowRow, real: string, { opened = [], platform }: FileRules): AllowRow | null {
  const { relative, join } = platform === 'win32' ? path.win32 : path.posix;
  const found = placeThatRuns(relative(row.folder, real));
  const folder = found && join(row.folder, found.place);
  if (!folder || opened.includes(folder)) return null;
  return { ...row, folder, power: 'read', reason: found.reason, isDefault: true };
}

/** Whether the row was made for the secret, or for something in it: a folder around it was not. */
function names({ folder, isDefault }: AllowRow, secret: Secret, platform: NodeJS.Platform): boolean {
  return isWithinLoosely(folder, secret.path, platform) && (isDefault || !secret.isSealed);
}

/** What an image claims never reaches beyond the library that a person allowed. */
function isOfLoadedSystem(real: string, { folder }: AllowRow, { systems, platform }: FileRules): boolean {
  return systems.some(
    (system) => isWithin(system.folder, folder, platform) && isWithin(real, system.folder, platform),
  );
}

const STRENGTH: readonly AllowPower[] = ['write', 'read', 'library'];

function nearestFirst(a: AllowRow, b: AllowRow): number {
  return b.folder.length - a.folder.length || STRENGTH.indexOf(a.power) - STRENGTH.indexOf(b.power);
}

/** As `isWithin`, without regard to case and to how accents are encoded: a secret has one name on some file systems, many on others. */
function isWithinLoosely(file: string, folder: string, platform: NodeJS.Platform): boolean {
  return isWithin(file, folder, platform) || isWithin(folded(file), folded(folder), platform);
}

function folded(file: string): string {
  return file.normalize('NFKC').toLowerCase().normalize('NFC');
}
