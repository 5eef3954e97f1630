/**
 * Classpaths that are known: to ask a build tool takes seconds, and sessions of a project start often. One is asked for again
 * when a build file has changed, and as long as something is missing, which may have been fetched by then.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { StartRequest } from '../image';
import { BUILD_TOOLS } from './build-tools';
import { type ClassPath, type ClassPathOptions, classPathOf, USUAL_FOLDERS } from './class-path';

export class ClassPaths {
  readonly #known = new Map<string, { stamp: string; classPath: ClassPath }>();

  /** As `classPathOf`. */
  async of(
    request: StartRequest,
    options: ClassPathOptions,
    tell: (doing: string) => void,
  ): Promise<ClassPath> {
    const { project } = request;
    const stamp = await stampOf(request);
    const known = this.#known.get(project);
    if (known?.stamp === stamp) return known.classPath;
    const classPath = await classPathOf(request, options, tell);
    if (classPath.notes.length === 0) this.#known.set(project, { stamp, classPath });
    return classPath;
  }
}

/** Another one for other build files, other source folders, and other folders that may be read. */
async function stampOf({ project, confinement }: StartRequest): Promise<string> {
  const look = (name: string) => stat(path.join(project, name)).catch(() => null);
  const files = await Promise.all(BUILD_TOOLS.map(({ file }) => look(file)));
  const folders = await Promise.all(USUAL_FOLDERS.map(look));
  return JSON.stringify([
    files.map((file) => file && [file.mtimeMs, file.size]),
    folders.map((folder) => folder !== null),
    confinement.readable,
  ]);
}
