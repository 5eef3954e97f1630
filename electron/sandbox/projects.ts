/**
 * Decides which folders sessions may write to: those the user approved, and folders below them. Links are
 * resolved first.
 */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { isInRepository, isWithin, projectRefusal, realPath } from './paths';

export interface ProjectsOptions {
  /** Folders approved by option, window or settings file. Called for each decision. */
  approved: () => readonly string[];
  home: string;
  dataFolder: string;
  /** Folders such as /tmp whose subfolders may be projects. */
  temporaryFolders: readonly string[];
  platform?: NodeJS.Platform;
}

const IN_REPOSITORY = 'a Git folder, whose hooks run outside the sandbox';

export class Projects {
  readonly #options: ProjectsOptions;
  readonly #platform: NodeJS.Platform;

  constructor(options: ProjectsOptions) {
    this.#options = options;
    this.#platform = options.platform ?? process.platform;
  }

  /**
   * Checks a folder that the user chose.
   * @returns its real path
   * @throws HarborError `bad_arguments` if it is not a folder, `project_not_approved` if it can never be a
   *   project
   */
  approve(folder: string): string {
    const real = realFolder(folder);
    if (real === null) throw notAFolder(folder);
    const reason = this.#reasonAgainst(real);
    if (reason === null) return real;
    throw neverApproved(folder, reason);
  }

  /**
   * Resolves the project of a call: an approved folder, the caller's own project, or a folder below one.
   * Relative paths start at the caller's own project, or else at an approved folder.
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
    // Existence is revealed only where the caller may look anyway.
    if (real === undefined)
      throw reals.length === 0 && places.some(isBelow) ? notAFolder(folder) : notApproved(folder);
    if (isInRepository(real)) throw neverApproved(folder, IN_REPOSITORY);
    return real;
  }

  /**
   * Checks, before an image is confined to an approved real path, that sandboxed code did not replace it by a
   * link.
   * @throws HarborError `project_not_approved`
   */
  check(project: string): void {
    if (realFolder(project) === project) return;
    throw new HarborError(
      'project_not_approved',
      `${project} is no longer the approved folder: it was removed, or a link replaced it.`,
    );
  }

  /**
   * Returns the real paths of the approved folders and the caller's own project that still exist and may be
   * projects.
   */
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
    return projectRefusal(real, {
      platform: this.#platform,
      home: realPath(home),
      dataFolder: realPath(dataFolder),
      temporaryFolders: temporaryFolders.map(realPath),
    });
  }
}

/** Returns null if the folder does not exist. */
function realFolder(folder: string): string | null {
  try {
    const real = realpathSync.native(folder);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function notAFolder(folder: string): HarborError {
  return new HarborError('bad_arguments', `${folder} is not a folder. Name one that exists.`);
}

function neverApproved(folder: string, reason: string): HarborError {
  return new HarborError(
    'project_not_approved',
    `${folder} cannot be a project: it is ${reason}. Choose a folder with your own work, such as one below your home folder.`,
  );
}

function notApproved(folder: string): HarborError {
  return new HarborError(
    'project_not_approved',
    `${folder} is not an approved project. The user can approve it in the window (New session, choose ` +
      'a folder), with --project DIR at the start, or under "projects" in settings.json.',
  );
}
