/** Which files a session may be told to load: those of its project and of the shared libraries, links followed. */
import { existsSync, lstatSync, opendirSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { namesNear } from '../contract/names-there';
import { FileRefused } from '../contract/needs';
import { howToAllow } from './file-policy';
import { isWithin } from './project-rules';
import { realPath } from './real-path';

/** Of a folder, when a file in it is missing. */
const MOST_NAMES = 5_000;

/**
 * The real path of `file`, which may be relative to the project.
 * @throws HarborError `file_missing`, `file_not_allowed`
 */
export function sourceFile(file: string, project: string, libraries: readonly string[]): string {
  return sourceThat(isFile, file, project, libraries);
}

/** As `sourceFile`, of a book of ACL2's, which is named with or without `.lisp`. */
export function bookFile(book: string, project: string, libraries: readonly string[]): string {
  return sourceFile(book.endsWith('.lisp') ? book : `${book}.lisp`, project, libraries);
}

/** As `sourceFile`, or a folder of such files. */
export function sourceFileOrFolder(file: string, project: string, libraries: readonly string[]): string {
  return sourceThat((real) => isFile(real) || isFolder(real), file, project, libraries);
}

function sourceThat(
  isThere: (real: string) => boolean,
  file: string,
  project: string,
  libraries: readonly string[],
): string {
  const folders = [project, ...libraries];
  const asked = path.resolve(project, file);
  const real = realPath(asked);
  // Before it is known whether something is there: what is outside is not told.
  if (!folders.some((folder) => isWithin(real, folder, process.platform)))
    throw new FileRefused(
      'file_not_allowed',
      `${asked} is, or leads, outside of the project ${project}. Sessions load files of their project and of the Lisp libraries: ${libraries.join(', ') || 'none here'}. ${howToAllow(path.dirname(asked), 'library')}`,
      { path: asked, use: 'read', project },
    );
  if (isThere(real)) return real;
  throw new HarborError(
    'file_missing',
    `There is no file ${file}. Paths are relative to ${project}.${beside(asked, folders)}`,
  );
}

/** What there is where `file` would be, or above that; nothing of what is in none of `folders`. */
function beside(file: string, folders: readonly string[]): string {
  const above = path.dirname(file);
  const real = realPath(above);
  if (!folders.some((folder) => isWithin(real, folder, process.platform))) return '';
  if (!existsSync(real)) return beside(above, folders);
  const names = firstNames(real).filter((name) => !name.startsWith('.'));
  return names.length === 0 ? '' : ` ${above} has ${namesNear(path.basename(file), names)}.`;
}

function firstNames(folder: string): string[] {
  const names: string[] = [];
  const opened = opendirSync(folder);
  try {
    for (let entry = opened.readSync(); entry && names.length < MOST_NAMES; entry = opened.readSync())
      names.push(entry.name);
    return names;
  } finally {
    opened.closeSync();
  }
}

function isFile(real: string): boolean {
  return lstatSync(real, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(real: string): boolean {
  return lstatSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
}
