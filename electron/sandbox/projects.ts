/** Which folders sessions may write to: those a person chose, and what lies below them. Links are followed first. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { isInRepository, isWithin, neverAProject } from './project-rules';
import { realPath } from './real-path';

export interface ProjectsOptions {
  /** The folders a person approved, by option, window or settings file. Asked anew each time. */
  approved: () => readonly string[];
  home: string;
  dataFolder: string;
  /** Such as /tmp: what lies below may be a project. */
  temporaryFolders: readonly string[];
  platform?: NodeJS.Platform;
}

const IN_REPOSITORY = 'what Git keeps of a project, with hooks that run outside of the sandbox';

export class Projects {
  readonly #options: ProjectsOptions;
  readonly #platform: NodeJS.Platform;

  constructor(options: ProjectsOptions) {
    this.#options = options;
    this.#platform = options.platform ?? process.platform;
  }

  /**
   * For a folder that a person chooses.
   * @returns its real path
   * @throws HarborError `bad_arguments` when it is no folder, `project_not_approved` when it can never be a project
   */
  approve(folder: string): string {
    const real = realFolder(folder);
    if (real === null) throw notAFolder(folder);
    const reason = this.#reasonAgainst(real);
    if (reason === null) return real;
    throw neverApproved(folder, reason);
  }

  /**
   * For a project that a call names: an approved folder, the caller's own project, or one below these. It may be relative
   * to the caller's own, else to an approved one.
   * @returns its real path
   * @throws HarborError `bad_arguments`, `project_not_approved`
   */
  resolve(folder: string, own?: string): string {
    const approved = this.approved(own);
    const places = (own === undefined ? approved : [own, ...approved]).map((base) =>
      path.resolve(base, folder),
    );
    const isBelow = (each: string) => approved.some((above) => isWithin(each, above, this.#platform));
    const reals = places.map(realFolder).filter((each) => each !== null);
    const real = reals.find(isBelow);
    // Whether there is such a folder is told only where the caller may look anyway.
    if (real === undefined)
      throw reals.length === 0 && places.some(isBelow) ? notAFolder(folder) : notApproved(folder);
    if (isInRepository(real)) throw neverApproved(folder, IN_REPOSITORY);
    return real;
  }

  /**
   * For a real path that was approved before, when an image is about to be confined to it: code that may write
   * there could have put a link in its place since, which would lead the sandbox elsewhere.
   * @throws HarborError `project_not_approved`
   */
  check(project: string): void {
    if (realFolder(project) === project) return;
    throw new HarborError(
      'project_not_approved',
      `${project} is no longer the folder that was approved: it is gone, or a link has taken its place.`,
    );
  }

  /** The real paths of those named, and of the caller's own, that are folders still and may be projects. */
  approved(own?: string): string[] {
    const named = this.#options.approved();
    const folders = (own === undefined ? named : [...named, own]).flatMap((folder) => {
      const real = realFolder(folder);
      return real === null || this.#reasonAgainst(real) !== null ? [] : [real];
    });
    return [...new Set(folders)];
  }

  #reasonAgainst(real: string): string | null {
    const { home, dataFolder, temporaryFolders } = this.#options;
    if (isInRepository(real)) return IN_REPOSITORY;
    return neverAProject(real, {
      platform: this.#platform,
      home: realPath(home),
      dataFolder: realPath(dataFolder),
      temporaryFolders: temporaryFolders.map(realPath),
    });
  }
}

/** null when there is no such folder. */
function realFolder(folder: string): string | null {
  try {
    const real = realpathSync.native(folder);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function notAFolder(folder: string): HarborError {
  return new HarborError('bad_arguments', `${folder} is no folder. Name one that exists.`);
}

function neverApproved(folder: string, reason: string): HarborError {
  return new HarborError(
    'project_not_approved',
    `${folder} cannot be a project: it is ${reason}. Choose a folder of your own work, such as one below your home folder.`,
  );
}

function notApproved(folder: string): HarborError {
  return new HarborError(
    'project_not_approved',
    `${folder} is not approved as a project. A person approves it in the window (New session, choose a folder), ` +
      'with --project DIR at the start, or under "projects" in settings.json.',
  );
}
