/**
 * Starts images inside bubblewrap. Node's child is the bwrap wrapper; its child is the first process of the
 * sandbox, and the engine is a child of that one. Signals and process figures have to look through both.
 */

import { type BigIntStats, closeSync, fstatSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { asFailure } from '../contract/errors';
import type { SandboxReport } from '../contract/model';
import { INHERITANCE_GAP } from '../host/child-process';
import { bubblewrapArguments, type HostLayout, type Mount, mountsFor } from '../sandbox/bubblewrap-arguments';
import type { Confinement } from '../sandbox/confinement';
import { MountSources, openPathOnly, replacedPath } from '../sandbox/mount-sources';
import { RUNS_OUTSIDE_GAP } from '../sandbox/protection';
import { seccompFilter } from '../sandbox/seccomp';
import { type Child, type ChildOptions, startChild } from './child';
import {
  type Activity,
  type LaunchEnd,
  type Launched,
  type Launcher,
  type Program,
  reportOf,
  type Usage,
} from './launcher';
import {
  IN_OWN_NETWORK,
  isOnline,
  type NetworkStack,
  resolverSettings,
  sharedNetworkGap,
} from './network-stack';
import { PrivateFolders } from './private-folders';
import { type ImageLimits, releaseLimit, UNLIMITED } from './process-limits';
import { activityOf, firstChild, signalNumbered, usageOf } from './processes';

/** Descriptors after the wire; all are closed before the engine runs. */
const INFO = 4;
const GATE = 5;
/** Exists if the image has a network of its own; the filter comes after the last. */
const RESOLVER = 6;

/** Environment of bubblewrap itself; the image can read it from the first process of its sandbox. */
const WRAPPER_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Offset of exit codes that stand for signals, as in a shell. */
const SIGNAL_CODES = 128;

/** The parts of a sandbox: its mounts and their opened sources. */
interface SandboxParts {
  mounts: readonly Mount[];
  sources: MountSources;
}

export class BubblewrapLauncher implements Launcher {
  readonly sandbox: SandboxReport;
  readonly #host: HostLayout;
  readonly #limits: ImageLimits;
  readonly #filter = seccompFilter(process.arch);
  readonly #filterAlone = seccompFilter(process.arch, { alone: true });
  readonly #stack: NetworkStack | null;

  /**
   * @param host result of `readHostLayout`
   * @param limits result of `imageLimits`
   * @param stack connects images to a network; null: they share that of this computer
   * @param networkGap the gap of a shared network
   */
  constructor(
    host: HostLayout,
    limits: ImageLimits = UNLIMITED,
    stack: NetworkStack | null = null,
    networkGap = sharedNetworkGap(),
  ) {
    this.#host = host;
    this.#limits = limits;
    this.#stack = stack;
    const gaps = [
      limits.gap,
      stack ? null : networkGap,
      RUNS_OUTSIDE_GAP,
      INHERITANCE_GAP,
      this.#filter
        ? null
        : `system calls are not filtered on ${process.arch}: unix sockets in readable folders can be reached`,
    ];
    this.sandbox = {
      confined: true,
      launcher: 'bubblewrap',
      ...(stack ? {} : { sharesNetwork: true }),
      gaps: gaps.filter((gap) => gap !== null),
    };
  }

  expectImage(): void {
    this.#limits.expectImage();
  }

  /**
   * @throws HarborError `engine_failed` if limits can no longer be set, `path_not_allowed` if a link replaced
   *   an allowed path
   */
  launch(program: Program, confinement: Confinement): Launched {
    const planned = mountsFor(program, confinement);
    const sources = MountSources.open(planned, confinement);
    const mounts = planned.filter(({ at, kind }) => kind !== 'read-if-there' || sources.at(at) !== null);
    try {
      return this.#start(program, confinement, { mounts, sources });
    } catch (error) {
      sources.close();
      throw error;
    }
  }

  /** Without a connection of this computer, an image has no network that could be separated. */
  #networkOf({ network }: Confinement): 'none' | 'own' | 'shared' {
    if (!network) return 'none';
    if (this.#stack === null) return 'shared';
    return isOnline() ? 'own' : 'none';
  }

  /** @throws HarborError `engine_failed` */
  #start(program: Program, confinement: Confinement, { mounts, sources }: SandboxParts): Launched {
    const filter = program.alone ? this.#filterAlone : this.#filter;
    const network = this.#networkOf(confinement);
    const stack = network === 'own' ? this.#stack : null;
    const last = stack ? RESOLVER : GATE;
    const descriptors = {
      info: INFO,
      ...(stack ? { resolver: RESOLVER } : {}),
      ...(filter ? { seccomp: last + 1 } : {}),
    };
    const limit = this.#limits.forImage();
    const { inside, env, groups } = limit;
    const outside = stack ? [...limit.outside, ...IN_OWN_NETWORK] : limit.outside;
    const [command = '', ...args] = behindGate(GATE, [...inside, program.command, ...program.args]);
    const shown = { network: network !== 'none', mounts };
    const words = bubblewrapArguments({ ...program, command, args }, shown, this.#host, descriptors);
    const child = wrapped(outside, words, {
      cwd: '/',
      env: { ...WRAPPER_ENV, ...env },
      extraDescriptors: last - INFO + 1,
      groups,
      // --die-with-parent ends it with us, and the gate stays closed without us.
      endsWithParent: true,
      ...(filter ? { input: filter } : {}),
    });
    child.extra[RESOLVER - INFO]?.end(resolverSettings());
    void child.ended.then(() => sources.close());
    const engine = new ConfinedEngine(child);
    const wrong = engine
      .runAfterCheck(
        async (pid) => findWrongMount(pid, mounts, sources) ?? connect(child, stack, confinement),
      )
      .finally(() => sources.close());
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
        releaseLimit(error === null ? withSignal(end) : notMade(end, error), limit, wasKilledInside(end)),
      ),
      usage: (fork) => engine.usage(fork),
      activity: (fork) => engine.activity(fork),
      privateEntries: () => folders.newEntries(),
    };
  }
}

/** @returns why the image has no network, as text for the user; null if it is connected or needs none */
async function connect(
  { pid, ended }: Child,
  stack: NetworkStack | null,
  { loopbackPorts = [] }: Confinement,
): Promise<string | null> {
  return stack === null || pid === undefined ? null : stack.connect(pid, ended, loopbackPorts);
}

/**
 * Wraps bubblewrap in the command that limits it. That command needs a larger environment than bubblewrap may
 * expose to the image.
 */
function wrapped(outside: readonly string[], args: readonly string[], options: ChildOptions): Child {
  const [command, ...rest] = outside;
  if (command === undefined) return startChild('bwrap', args, options);
  const own = Object.entries(WRAPPER_ENV).map(([name, value]) => `${name}=${value}`);
  return startChild(command, [...rest, 'env', '-i', ...own, 'bwrap', ...args], options);
}

/** The engine's process, found through bubblewrap's report. */
class ConfinedEngine {
  readonly #child: Child;
  readonly #firstProcess: Promise<number | null>;
  /** The engine's pid, cached for `tmp`. */
  #cachedPid: number | null = null;
  #hasEnded = false;

  constructor(child: Child) {
    this.#child = child;
    this.#firstProcess = firstProcess(child);
    void child.ended.then(() => {
      this.#hasEnded = true;
    });
  }

  /**
   * Calls `look` before the engine runs; if it returns an error, the engine is not started. Returns that
   * error.
   */
  runAfterCheck(look: (pid: number) => Promise<string | null>): Promise<string | null> {
    const [, gate] = this.#child.extra;
    if (!gate) return Promise.resolve(null);
    return throughGate(gate, this.#child.ended, async () => {
      const first = await this.#firstProcess;
      return first === null ? 'bubblewrap did not report the process it created' : look(first);
    });
  }

  /** SIGKILL goes to the wrapper, which ends the whole sandbox, whatever state the engine is in. */
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
    return activity && { ...activity, bytesRead: this.#child.bytesRead() };
  }

  /** Path on the host of the sandbox's `/tmp`. */
  async tmp(): Promise<string | null> {
    this.#cachedPid ??= await this.#pid();
    return this.#cachedPid === null || this.#hasEnded
      ? null
      : path.join('/proc', String(this.#cachedPid), 'root', 'tmp');
  }

  async #pid(): Promise<number | null> {
    const first = await this.#firstProcess;
    return first === null || this.#hasEnded ? null : firstChild(first);
  }
}

/** The host pid of the sandbox's first process; null if bubblewrap ended before it created one. */
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
    // The process is gone; `ended` reports it.
  }
}

/**
 * This exit code means that the engine was killed inside; if the wrapper itself is killed, it ends by a
 * signal.
 */
function wasKilledInside({ code }: LaunchEnd): boolean {
  return code === SIGNAL_CODES + constants.signals.SIGKILL;
}

/** A sandbox without its program ends by itself, unless it was killed meanwhile. */
function notMade(end: LaunchEnd, error: string): LaunchEnd {
  return end.signal === null ? { code: null, signal: null, error } : end;
}

/** If signal n kills the engine, bubblewrap ends with code 128 + n. */
function withSignal(end: LaunchEnd): LaunchEnd {
  const { code } = end;
  if (code === null || code <= SIGNAL_CODES) return end;
  const signal = signalNumbered(code - SIGNAL_CODES);
  return signal ? { ...end, code: null, signal } : end;
}

const WORD = 'go';

/**
 * Returns the words that run a program behind a gate: a shell that reports that the sandbox exists, waits for
 * a word, and executes the program. Without the word it exits.
 * @param descriptor the gate's descriptor in the sandbox, below 10
 */
function behindGate(descriptor: number, words: readonly string[]): string[] {
  const wait = `echo >&${descriptor}; read -r word <&${descriptor}; [ "$word" = ${WORD} ] || exit 1`;
  return ['/bin/sh', '-c', `${wait}; unset word; exec ${descriptor}>&-; exec "$@"`, 'sh', ...words];
}

/**
 * Waits until the sandbox exists, and lets the program run if `look` finds nothing wrong.
 * @param ended resolves when the sandbox has ended, perhaps before it was complete
 * @returns the error of `look`; null also if it was not called
 */
async function throughGate(
  gate: Duplex,
  ended: Promise<unknown>,
  look: () => Promise<string | null>,
): Promise<string | null> {
  const made = new Promise<true>((resolve) => gate.once('data', () => resolve(true)));
  if (!(await Promise.race([made, ended.then(() => false)]))) return null;
  const wrong = await look();
  gate.end(wrong === null ? `${WORD}\n` : '');
  return wrong;
}

/**
 * Inspects the mounts of a finished sandbox from the host. bubblewrap mounts by name, and links can appear at
 * any time in the source and below writable folders, so before the program runs each mount must be where it
 * was planned and show the file that was opened (proc(5): `root`, `mountinfo` and `fdinfo`).
 * @param pid of a process in the sandbox
 * @returns what is wrong, as text for the user; null if nothing is
 */
function findWrongMount(pid: number, mounts: readonly Mount[], sources: MountSources): string | null {
  try {
    const made = readMounts(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));
    const wrong = mounts.find((mount) => !isAsPlanned(mount, sources, (at) => inspectMount(pid, at, made)));
    return wrong === undefined ? null : replacedPath(wrong.at).message;
  } catch (error) {
    return `the mounts of the sandbox cannot be inspected (${asFailure(error).message})`;
  }
}

interface MadeMount {
  at: string;
  isReadOnly: boolean;
  fileSystem: string;
}

/** The file at a path in the sandbox, and the mount whose root it is. */
interface SeenMount {
  file: BigIntStats;
  mount: MadeMount;
}

function isAsPlanned(
  { at, kind }: Mount,
  sources: MountSources,
  look: (at: string) => SeenMount | null,
): boolean {
  const source = sources.at(at);
  // If a link above the path also exists in the sandbox, the mount is at its target.
  const found = look(at) ?? (source && source.real !== at ? look(source.real) : null);
  if (!found) return false;
  const { file, mount } = found;
  if (kind === 'hide-folder') return mount.fileSystem === 'tmpfs' && mount.isReadOnly;
  if (kind === 'hide-file') return file.isCharacterDevice() && file.rdev === NULL_DEVICE;
  if (kind !== 'write' && !mount.isReadOnly) return false;
  return source?.device === file.dev && source.inode === file.ino;
}

/** Device number of `/dev/null`. */
const NULL_DEVICE = 0x103n;

/** Returns null if there is no mount, or a different path is reached. */
function inspectMount(pid: number, at: string, made: ReadonlyMap<string, MadeMount>): SeenMount | null {
  const descriptor = openPathOnly(`/proc/${pid}/root${at}`);
  if (descriptor === null) return null;
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    const mount = made.get(/^mnt_id:\s*(\d+)$/m.exec(info)?.[1] ?? '');
    const isRoot = mount?.at === at && readlinkSync(`/proc/self/fd/${descriptor}`) === at;
    return isRoot ? { file: fstatSync(descriptor, { bigint: true }), mount } : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Parses `mountinfo` into mounts by id: `36 35 98:0 /root /at ro,noatime - ext3 /dev/root rw`. */
function readMounts(mountinfo: string): Map<string, MadeMount> {
  const lines = mountinfo.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [number = '', , , , at = '', options = ''] = line.split(' ');
      const [, fileSystem = ''] = /\s-\s(\S+)\s/.exec(line) ?? [];
      return [number, { at: unescaped(at), isReadOnly: options.split(',').includes('ro'), fileSystem }];
    }),
  );
}

/** Decodes spaces, newlines and backslashes, which are written as `\040`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

const FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * Reads which program folders of the host are links (merged `/usr`) and which are real; skips those that do
 * not exist.
 */
export function readHostLayout(): HostLayout {
  const links: { path: string; target: string }[] = [];
  const folders: string[] = [];
  for (const path of FOLDERS) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) links.push({ path, target: readlinkSync(path) });
    else if (found?.isDirectory()) folders.push(path);
  }
  return { links, folders };
}
