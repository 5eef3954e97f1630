/**
 * Where libraries are that were fetched for projects: a folder for each project, because what fetches runs the project's
 * code, which shall put nothing into what another project loads.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FetchFolders, ProjectLibraries } from '../images/library-fetcher';
import { realPath } from '../sandbox/real-path';

export class LibraryFolders {
  readonly #root: string;
  readonly #fetches = new Map<string, number>();

  /** @param root holds a folder for each project, and in that what sandboxes may write beside what they may not */
  constructor(root: string) {
    // Sandboxes are made of real paths.
    this.#root = realPath(root);
  }

  of(project: string): FetchFolders {
    const hash = createHash('sha256').update(project).digest('hex').slice(0, 16);
    const folder = path.join(this.#root, `${path.basename(project)}-${hash}`);
    const inside = (name: string) => path.join(folder, name);
    return {
      fetched: inside('fetched'),
      settings: inside('settings'),
      temporary: inside('tmp'),
      work: inside('work'),
    };
  }

  /** Makes the folder, so that an image which begins now sees what is fetched later. */
  forImage(project: string): ProjectLibraries {
    const { fetched, settings } = this.of(project);
    mkdirSync(fetched, { recursive: true, mode: 0o700 });
    return { folder: fetched, settings, fetches: this.#fetches.get(project) ?? 0 };
  }

  /** Something was fetched for the project. */
  count(project: string): void {
    this.#fetches.set(project, (this.#fetches.get(project) ?? 0) + 1);
  }
}
