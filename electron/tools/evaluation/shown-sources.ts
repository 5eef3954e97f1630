/**
 * The files that a call of `load` or `run_tests` may load, as the question for an approval shows them. The
 * harbor compares them once more before the code runs, so each is bound by its text or its hash.
 */

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { FileText } from '../../contract/approvals';
import { isWithin } from '../../sandbox/paths';
import {
  bookFile,
  filesBelow,
  hashWithin,
  readWithin,
  sourceFileOrFolder,
} from '../../sandbox/project-files';
import type { Sessions } from '../../sessions/sessions';
import { dialectOfFile } from '../../source/dialect';
import type { Caller } from '../tool';

interface NamedSources {
  session?: string | undefined;
  path?: string | undefined;
  /** Whether the call loads nothing. */
  fetch?: boolean | undefined;
}

/** Maximum characters of a file that are shown. */
const MOST_TEXT = 64 * 1024;
/** Files of more bytes are shown by their hash alone. */
const MOST_SHOWN_BYTES = 16 * 1024 * 1024;

/** Maximum number of entries of a project to look at, of its files that are hashed, and of those that are named. */
const MOST_ENTRIES = 50_000;
const MOST_FILES = 2_000;
const MOST_NAMED = 100;

/** Characters of a hash in a list. */
const SHORT = 12;

/** @throws HarborError `unknown_session`, and as `sourceFile` does */
export async function shownSources(
  { session, path: named, fetch }: NamedSources,
  caller: Caller,
  sessions: Sessions,
): Promise<FileText[]> {
  if (fetch) return [];
  const project =
    session === undefined ? caller.project : sessions.known(session, caller.client).identity.project;
  if (named === undefined) return [await listOf(project)];
  const file = locate(named, project, sessions.librariesOf(project));
  return [
    await shownFile(file),
    ...(isWithin(file, project, process.platform) ? [await listOf(project)] : []),
  ];
}

/** @throws HarborError as `sourceFile` does */
function locate(named: string, project: string, libraries: readonly string[]): string {
  try {
    return sourceFileOrFolder(named, project, libraries);
  } catch (error) {
    if (path.extname(named) !== '') throw error;
    return bookFile(named, project, libraries);
  }
}

/** @throws HarborError `took_too_long` for a file that cannot be bound to the approval */
async function shownFile(file: string): Promise<FileText> {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  if (statSync(file).isDirectory()) return { file, text: 'A folder.' };
  const content = await readWithin(folder, name, MOST_SHOWN_BYTES).catch(() => null);
  const text = content?.toString('utf8');
  if (text !== undefined && text.length <= MOST_TEXT) return { file, text };
  const digest = `SHA-256 of the file: ${(await hashWithin(folder, name)) ?? 'unreadable'}`;
  if (text === undefined) return { file, text: `A long file. ${digest}` };
  return {
    file,
    text: `${text.slice(0, MOST_TEXT)}\n; ${text.length - MOST_TEXT} more characters. ${digest}`,
  };
}

/** Returns the source files of the project with their hashes, which decide with the libraries about what runs. */
async function listOf(project: string): Promise<FileText> {
  const names: string[] = [];
  for await (const name of filesBelow(project, MOST_ENTRIES)) {
    if (isSource(name)) names.push(name);
    if (names.length > MOST_FILES) break;
  }
  const shown = names.slice(0, MOST_FILES).toSorted();
  const whole = createHash('sha256');
  const lines: string[] = [];
  for (const name of shown) {
    const digest = (await hashWithin(project, name).catch(() => null)) ?? 'unreadable';
    // Anybody finds two files whose hashes begin alike.
    whole.update(`${digest} ${name}\n`);
    lines.push(`${digest.slice(0, SHORT)} ${name}`);
  }
  const more = lines.length > MOST_NAMED ? [`and ${lines.length - MOST_NAMED} more`] : [];
  const beyond = names.length > MOST_FILES ? [`Files beyond the first ${MOST_FILES} are not compared.`] : [];
  const text = [
    `${lines.length} source files; SHA-256 of their names and whole hashes: ${whole.digest('hex')}`,
    ...lines.slice(0, MOST_NAMED),
  ];
  return { file: project, text: [...text, ...more, ...beyond].join('\n') };
}

function isSource(name: string): boolean {
  const folders = name.split(path.sep);
  return dialectOfFile(name) !== null && !folders.includes('node_modules') && !folders.includes('.git');
}
