/**
 * Classpaths that are known: to ask a build tool takes seconds, and sessions of a project start often. One is asked for again
 * when what it was made of has changed, and as long as something is missing, which may have been fetched by then.
 */
import type { StartRequest } from '../image';
import { MadeOf } from '../made-of';
import { type ClassPath, type ClassPathOptions, classPathOf, isAllowedFor } from './class-path';

export interface KnownClassPath extends ClassPath {
  /** What an image that has it is made of. */
  madeOf: MadeOf;
}

export class ClassPaths {
  readonly #known = new Map<string, { allowed: string; classPath: KnownClassPath }>();

  /** As `classPathOf`. */
  async of(
    request: StartRequest,
    options: ClassPathOptions,
    tell: (doing: string) => void,
  ): Promise<KnownClassPath> {
    const { project, confinement } = request;
    const allowed = JSON.stringify(confinement.readable);
    const known = this.#known.get(project);
    if (known?.allowed === allowed && known.classPath.madeOf.changed === null) return known.classPath;
    const madeOf = new MadeOf(project, isAllowedFor(request, options));
    const classPath = { ...(await classPathOf(request, options, madeOf, tell)), madeOf };
    if (classPath.notes.length === 0) this.#known.set(project, { allowed, classPath });
    return classPath;
  }
}
