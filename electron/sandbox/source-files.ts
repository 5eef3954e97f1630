/** Which files a session may be told to load: those of its project and of the shared libraries, links followed. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { isWithin } from './project-rules';

/**
 * The real path of `file`, which may be relative to the project.
 * @throws HarborError `file_missing`, `file_not_allowed`
 */
export function sourceFile(file: string, project: string, libraries: readonly string[]): string {
  const real = realFile(path.resolve(project, file));
  if (real === null)
    throw new HarborError('file_missing', `There is no file ${file}. Paths are relative to ${project}.`);
  const folders = [project, ...libraries];
  if (folders.some((folder) => isWithin(real, folder, process.platform))) return real;
  throw new HarborError(
    'file_not_allowed',
    `${real} is outside of the project ${project}. Sessions load files of their project and of the Lisp libraries: ${libraries.join(', ') || 'none here'}.`,
  );
}

function realFile(file: string): string | null {
  try {
    const real = realpathSync.native(file);
    return statSync(real).isFile() ? real : null;
  } catch {
    return null;
  }
}
