/**
 * Starts images inside bubblewrap. Node sees the wrapper, whose child is the sandbox's first process, and the
 * engine is a child of that one: signals and figures have to look through both.
 */
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import type { SandboxReport } from '../contract/model';
import { INHERITANCE_GAP } from '../host/child-process';
import { bubblewrapArguments, type HostLayout, mountsFor } from '../sandbox/bubblewrap-arguments';
import type { Confinement } from '../sandbox/confinement';
import type { Mount } from '../sandbox/mounts';
import { OpenedPlaces } from '../sandbox/opened-places';
import { RUNS_OUTSIDE_GAP } from '../sandbox/runs-outside';
import { seccompFilter } from '../sandbox/seccomp-filter';
import { type Child, type ChildOptions, startChild } from './child';
import { behindGate, throughGate } from './gate';
import {
  type Activity,
  type LaunchEnd,
  type Launched,
  type Launcher,
  type Program,
  reportOf,
  type Usage,
} from './launcher';
import { wrongMount } from './made-mounts';
import { PrivateFolders } from './private-folders';
import { type ImageLimits, released, UNLIMITED } from './process-limits';
import { activityOf, firstChild, signalNumbered, usageOf } from './processes';
import { StandIns } from './stand-ins';

/** The descriptors after the wire; all are closed before the engine runs. */
const INFO = 4;
const GATE = 5;
const SECCOMP = 6;

/** bubblewrap's own environment, which its first process inside the sandbox shows to the image. */
const WRAPPER_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** A shell's way to tell a signal as an exit code, which bubblewrap follows. */
const SIGNAL_CODES = 128;

/** What a sandbox is made of: what is mounted, the places that were opened for it, and what gives all back. */
interface SandboxParts {
  mounts: readonly Mount[];
  places: OpenedPlaces;
  release: () => void;
}

export class BubblewrapLauncher implements Launcher {
  readonly sandbox: SandboxReport;
  readonly #host: HostLayout;
  readonly #limits: ImageLimits;
  readonly #standIns = new StandIns();
  readonly #filter = seccompFilter(process.arch);

  /** `host` as `readHostLayout` found it, `limits` as `imageLimits` did. */
  constructor(host: HostLayout, limits: ImageLimits = UNLIMITED) {
    this.#host = host;
    this.#limits = limits;
    const gaps = [
      limits.gap,
      RUNS_OUTSIDE_GAP,
      INHERITANCE_GAP,
      this.#filter ? null : `system calls are not filtered on ${process.arch}`,
    ];
    this.sandbox = { confined: true, launcher: 'bubblewrap', gaps: gaps.filter((gap) => gap !== null) };
  }

  expectImage(): void {
    this.#limits.expectImage();
  }

  /** @throws HarborError `engine_failed` when the host gives no limits any more, `path_not_allowed` when a link has come in
   * the place of what was allowed */
  launch(program: Program, confinement: Confinement): Launched {
    const parts = this.#parts(program, confinement);
    try {
      return this.#start(program, confinement, parts);
    } catch (error) {
      parts.release();
      throw error;
    }
  }

  /** @throws HarborError `path_not_allowed` */
  #parts(program: Program, confinement: Confinement): SandboxParts {
    const release = this.#standIns.hold(confinement.kept ?? []);
    try {
      const planned = mountsFor(program, confinement);
      const places = OpenedPlaces.open(planned, confinement);
      const mounts = planned.filter(({ at, kind }) => kind !== 'read-if-there' || places.at(at) !== null);
      const releaseAll = () => {
        places.close();
        release();
      };
      return { mounts, places, release: releaseAll };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** @throws HarborError `engine_failed` */
  #start(program: Program, confinement: Confinement, { mounts, places, release }: SandboxParts): Launched {
    const descriptors = this.#filter ? { info: INFO, seccomp: SECCOMP } : { info: INFO };
    const limit = this.#limits.forImage();
    const { outside, inside, env, groups } = limit;
    const [command = '', ...args] = behindGate(GATE, [...inside, program.command, ...program.args]);
    const shown = { network: confinement.network, mounts };
    const words = bubblewrapArguments({ ...program, command, args }, shown, this.#host, descriptors);
    const child = wrapped(outside, words, {
      cwd: '/',
      env: { ...WRAPPER_ENV, ...env },
      extraDescriptors: 2,
      groups,
      // It has --die-with-parent, and the gate does not open without us.
      watchesUs: true,
      ...(this.#filter ? { given: this.#filter } : {}),
    });
    void child.ended.then(release);
    const engine = new ConfinedEngine(child);
    const wrong = engine.letRun((pid) => wrongMount(pid, mounts, places)).finally(() => places.close());
    const { HOME: home } = program.env;
    const folders = new PrivateFolders([
      { folder: '/tmp', lasts: 'image', find: () => engine.tmp() },
      ...(home === undefined ? [] : [{ folder: home, lasts: 'session' as const, find: async () => home }]),
    ]);
    return {
      wire: child.wire,
      stdout: child.stdout,
      stderr: child.stderr,
      sandbox: reportOf(this.sandbox, confinement),
      signal: (name) => engine.signal(name),
      ended: Promise.all([child.ended, wrong]).then(([end, error]) =>
        released(error === null ? withSignal(end) : notMade(end, error), limit, wasKilledInside(end)),
      ),
      usage: (fork) => engine.usage(fork),
      activity: (fork) => engine.activity(fork),
      privateEntries: () => folders.news(),
    };
  }
}

/** What stands in front of bubblewrap needs more of an environment than bubblewrap may show to the image. */
function wrapped(outside: readonly string[], args: readonly string[], options: ChildOptions): Child {
  const [command, ...rest] = outside;
  if (command === undefined) return startChild('bwrap', args, options);
  const own = Object.entries(WRAPPER_ENV).map(([name, value]) => `${name}=${value}`);
  return startChild(command, [...rest, 'env', '-i', ...own, 'bwrap', ...args], options);
}

/** The engine's own process, found through the wrapper's report. */
class ConfinedEngine {
  readonly #child: Child;
  readonly #firstProcess: Promise<number | null>;
  /** The engine's pid, once somebody has asked often. */
  #known: number | null = null;
  #gone = false;

  constructor(child: Child) {
    this.#child = child;
    this.#firstProcess = firstProcess(child);
    void child.ended.then(() => {
      this.#gone = true;
    });
  }

  /** Has `look` see the sandbox before the engine runs, which is not to run when it finds something wrong. Answers that. */
  letRun(look: (pid: number) => string | null): Promise<string | null> {
    const [, gate] = this.#child.extra;
    if (!gate) return Promise.resolve(null);
    return throughGate(gate, this.#child.ended, async () => {
      const first = await this.#firstProcess;
      return first === null ? 'bubblewrap does not say which process it has made' : look(first);
    });
  }

  /** SIGKILL goes to the wrapper, with which the whole sandbox dies, whatever state the engine is in. */
  async signal(name: NodeJS.Signals): Promise<void> {
    const pid = name === 'SIGKILL' ? null : await this.#pid();
    if (pid === null) this.#child.signal(name);
    else signalIfAlive(pid, name);
  }

  async usage(fork: number | undefined): Promise<Usage | null> {
    return usageOf(await this.#pid(), fork);
  }

  async activity(fork: number | undefined): Promise<Activity | null> {
    const activity = await activityOf(await this.#pid(), fork);
    return activity && { ...activity, heard: this.#child.heard() };
  }

  /** Where this host finds the `/tmp` of the sandbox. */
  async tmp(): Promise<string | null> {
    this.#known ??= await this.#pid();
    return this.#known === null || this.#gone ? null : `/proc/${this.#known}/root/tmp`;
  }

  async #pid(): Promise<number | null> {
    const first = await this.#firstProcess;
    return first === null || this.#gone ? null : firstChild(first);
  }
}

/** The pid on this host of the sandbox's first process; null when bubblewrap ended before it made one. */
async function firstProcess(child: Child): Promise<number | null> {
  const [info] = child.extra;
  const report = info ? await text(info).catch(() => '') : '';
  const found = /"child-pid": (\d+)/.exec(report);
  return found ? Number(found[1]) : null;
}

function signalIfAlive(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile: its end is told by `ended`.
  }
}

/** Somebody who kills the wrapper ends it by a signal: that code says that the engine was killed, inside. */
function wasKilledInside({ code }: LaunchEnd): boolean {
  return code === SIGNAL_CODES + constants.signals.SIGKILL;
}

/** Without its program a sandbox ends by itself, unless somebody killed it meanwhile. */
function notMade(end: LaunchEnd, error: string): LaunchEnd {
  return end.signal === null ? { code: null, signal: null, error } : end;
}

/** An engine killed by signal n ends bubblewrap with code 128 + n. */
function withSignal(end: LaunchEnd): LaunchEnd {
  const { code } = end;
  if (code === null || code <= SIGNAL_CODES) return end;
  const signal = signalNumbered(code - SIGNAL_CODES);
  return signal ? { ...end, code: null, signal } : end;
}
