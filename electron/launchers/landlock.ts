/**
 * Starts images confined by Landlock, which asks for no user namespace. An SBCL confines itself as
 * resources/sandbox/landlock.lisp has it and then becomes the engine, whichever that is: its pid is the engine's.
 */
import type { SandboxReport } from '../contract/model';
import { type HostLayout, mountsFor } from '../sandbox/bubblewrap-arguments';
import type { Confinement } from '../sandbox/confinement';
import { type FileSystem, landlockGrants } from '../sandbox/landlock-grants';
import { landlockOrder } from '../sandbox/landlock-order';
import { landlockGaps } from '../sandbox/landlock-ruleset';
import { OpenedPlaces } from '../sandbox/opened-places';
import { seccompFilter } from '../sandbox/seccomp-filter';
import { type Child, childNotStarted, startChild } from './child';
import { hostFileSystem } from './host-layout';
import { type Launched, type Launcher, type Program, reportOf } from './launcher';
import { limitedProcess } from './own-process';
import { type ImageLimit, type ImageLimits, leftRunningGaps } from './process-limits';

export interface LandlockOptions {
  /** The compiled file that confines, as `prepareLandlock` made it, and the version of Landlock that it found. */
  confiner: string;
  version: number;
  host: HostLayout;
  limits: ImageLimits;
  /** Folders where `sbcl` is, as in PATH. */
  searchPath: string;
  /** Why images are not confined by what holds more, and how they could be. */
  reason: string;
}

export class LandlockLauncher implements Launcher {
  readonly sandbox: SandboxReport;
  readonly #options: LandlockOptions;

  constructor(options: LandlockOptions) {
    const { version, limits, reason } = options;
    const unfiltered = seccompFilter(process.arch) === null ? process.arch : null;
    const gaps = [
      ...landlockGaps(version, unfiltered),
      ...leftRunningGaps(limits),
      ...(limits.gap === null ? [] : [limits.gap]),
    ];
    this.#options = options;
    this.sandbox = { confined: true, launcher: 'landlock', reason, gaps };
  }

  expectImage(): void {
    this.#options.limits.expectImage();
  }

  /** @throws HarborError `engine_failed` when the host gives no limits any more, `path_not_allowed` when a link has come in
   * the place of what was allowed */
  launch(program: Program, confinement: Confinement): Launched {
    const places = OpenedPlaces.open(mountsFor(program, confinement), confinement);
    try {
      return this.#launch(program, confinement, filesOpenedAs(places));
    } finally {
      // Rules are about paths, which the confiner follows without any link: that these have none is enough.
      places.close();
    }
  }

  #launch(program: Program, confinement: Confinement, files: FileSystem): Launched {
    const limit = this.#options.limits.forImage();
    const child = this.#start(limit, program, () => this.#order(program, confinement, files));
    return limitedProcess(child, reportOf(this.sandbox, confinement), limit);
  }

  #start({ outside, env, groups }: ImageLimit, { cwd }: Program, order: () => Uint8Array): Child {
    const { confiner, searchPath } = this.#options;
    const [command = '', ...args] = [...outside, 'sbcl', '--script', confiner];
    try {
      return startChild(command, args, { cwd, env: { ...env, PATH: searchPath }, given: order(), groups });
    } catch (error) {
      return childNotStarted(error);
    }
  }

  /** @throws Error when it cannot be written down, or a folder around something hidden cannot be read */
  #order(program: Program, confinement: Confinement, files: FileSystem): Uint8Array {
    const { host, version } = this.#options;
    const { network } = confinement;
    const grants = landlockGrants(program.needs, confinement, host, files);
    return landlockOrder({
      program,
      grants,
      network,
      version,
      filter: seccompFilter(process.arch, { network }),
    });
  }
}

/** The files of this host, with what was opened as it was then. */
function filesOpenedAs(places: OpenedPlaces): FileSystem {
  return {
    real(asked) {
      const place = places.at(asked);
      return place === undefined ? hostFileSystem.real(asked) : place && { ...place, path: place.real };
    },
    children: hostFileSystem.children,
  };
}
