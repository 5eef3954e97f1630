/**
 * The optional group of an engine that can fetch libraries: it says what would be run and what that needs. A person decides
 * whether it is run; library-fetch.ts runs it confined.
 */
import type { Program } from '../launchers/launcher';

/** The folders of one project for what is fetched. What fetches may write into all but the settings. */
export interface FetchFolders {
  /** HOME of what fetches: laid out like a person's, with `.m2/repository`, `.gitlibs` or `quicklisp` in it. */
  fetched: string;
  /** Settings of build tools, written by the harbor and only read by them. */
  settings: string;
  temporary: string;
  /** Where it runs: made for each fetch and removed after it. */
  work: string;
}

/** What an image is told of fetched libraries. An image that was started before a fetch cannot stand for a later one. */
export interface ProjectLibraries {
  /** Laid out like a home folder. */
  folder: string;
  settings: string;
  /** Fetches since this harbor began. */
  fetches: number;
}

export interface FetchRequest {
  project: string;
  /** What is missing; absent: all that the project needs. */
  system?: string;
  folders: FetchFolders;
  /** Libraries that images of the project may read, and that are not in it. */
  libraries: readonly string[];
}

export interface FetchPlan {
  /** What is run, as a person would type it. */
  line: string;
  program: Program;
  /** What it reads of the project and of the person's own libraries. */
  reads: readonly string[];
  /** A project that tools find, linked, in the folder `work`, where they may write files of their own beside it. */
  linked?: string;
  /** Files to be put into the folder `settings` before, by their names. */
  settings: Readonly<Record<string, string>>;
  /** How a session comes by what was fetched, in a sentence. */
  next: string;
  /** Names of what has been fetched by now, in whatever order. */
  inventory(): Promise<string[]>;
}

export interface LibraryFetcher {
  /** @throws HarborError `not_supported`, `bad_arguments`, `engine_unavailable` with what is missing */
  plan(request: FetchRequest): Promise<FetchPlan>;
}
