/**
 * Decides which folders sessions may write to: those the user approved, and folders below them. Links are
 * resolved first.
 */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { foldersAbove, isWithin, otherPaths } from './paths';
import { type NamedPlaces, type Places, placeRefusal, projectRefusal, realPlaces } from './protection';

export interface ProjectsOptions extends NamedPlaces {
  /** Folders approved by option, window or settings file. Called for each decision. */
  approved: () => readonly string[];
}

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
    this.#requireAllowed(real, folder);
    return real;
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
    this.#requireAllowed(real, folder);
    return real;
  }

  /**
   * Checks, before an image is confined to an approved real path, that sandboxed code did not replace it by a
   * link, and that it may still be a project.
   * @throws HarborError `project_not_approved`
   */
  check(project: string): void {
    if (realFolder(project) !== project)
      throw new HarborError(
        'project_not_approved',
        `${project} is no longer the approved folder: it was removed, or a link replaced it.`,
      );
    this.#requireAllowed(project, project);
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

  /**
   * @param folder the path that the caller used
   * @throws HarborError `project_not_approved`
   */
  #requireAllowed(real: string, folder: string): void {
    const reason = this.#reasonAgainst(real);
    if (reason !== null) throw neverApproved(folder, reason);
  }

  #reasonAgainst(real: string): string | null {
    const places = realPlaces(this.#options);
    return (
      projectRefusal(real, places) ??
      otherPaths(real)
        .map((at) => placeRefusal(at, places))
        .find((reason) => reason !== null) ??
      aliasRefusal(real, places)
    );
  }
}

/**
 * Returns why a folder cannot be a project although its path can: it, or a folder above it, is one of the closed
 * folders under another path. Null if it is none.
 */
function aliasRefusal(real: string, { home, dataFolder, installation }: Places): string | null {
  const above = [real, ...foldersAbove(real)];
  const known = new Set(above);
  const seen = new Set(above.map(identity));
  const found = [home, dataFolder, ...installation].find((at) => !known.has(at) && seen.has(identity(at)));
  return found === undefined ? null : `another path to ${found}, which is never a project`;
}

/** Identifies a folder independent of its path; null if it does not exist. */
function identity(folder: string): string | null {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found?.isDirectory() ? `${found.dev}:${found.ino}` : null;
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
