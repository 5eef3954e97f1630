/**
 * Starting a child process for a launcher: streams that cannot crash us, an end that is always told, a group
 * to signal. What the child is, an engine or a wrapper around one, is the launchers' business.
 */
import { Socket } from 'node:net';
import { Duplex, Readable, type Writable } from 'node:stream';
import { type ChildProcess, type StdioOptions, spawnAlone } from '../host/child-process';
import type { LaunchEnd } from './launcher';

/** A child that speaks on descriptor 3; the launcher may ask for further descriptors after it. */
export interface Child {
  /** undefined when the child could not be started. */
  pid: number | undefined;
  wire: Duplex;
  stdout: Readable;
  stderr: Readable;
  /** Bytes read of these three. */
  heard(): number;
  /** Descriptors 4, 5, … as far as they were asked for. */
  extra: Duplex[];
  /** Signals the child and every process of its group; nothing happens once it is gone. */
  signal(name: NodeJS.Signals): void;
  /** Settles once, never rejects. */
  ended: Promise<LaunchEnd>;
}

export interface ChildOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  extraDescriptors?: number;
  /** What the child reads to its end from one more descriptor, after those. */
  given?: Uint8Array;
  /** Folders of the control groups that it is in from its beginning. */
  groups?: readonly string[];
  /** Whether it sees to it by itself that it ends with the harbor. */
  watchesUs?: boolean;
}

/** Windows knows no process groups, and `detached` opens a console window there. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Starts `command` without a shell, with exactly `env`, in a process group of its own: a Ctrl-C in the harbor's
 * terminal does not reach it, and what it started itself is signalled with it. It ends with the harbor, also with one that is
 * killed: what is busy may never see that its wire is closed.
 */
export function startChild(command: string, args: readonly string[], options: ChildOptions): Child {
  const { cwd, env, extraDescriptors: extras = 0, given, groups = [], watchesUs = false } = options;
  const further: StdioOptions = Array.from({ length: extras + (given ? 1 : 0) }, () => 'pipe');
  let child: ChildProcess;
  try {
    child = spawnAlone(command, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...further],
      detached: HAS_GROUPS,
      endsWithUs: !watchesUs,
      groups,
    });
  } catch (error) {
    // Most failures come as an event, but some (E2BIG, a NUL byte in an argument) are thrown.
    return childNotStarted(error, extras);
  }
  const ended = endOf(child);
  const [, stdout, stderr, wire, ...rest] = child.stdio;
  if (given) give(rest[extras], given);
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  const said = [wire, stdout, stderr].flatMap((stream) => (stream instanceof Socket ? [stream] : []));
  return {
    pid: child.pid,
    heard: () => said.reduce((bytes, stream) => bytes + stream.bytesRead, 0),
    wire: quiet(wire instanceof Duplex ? wire : closedDuplex()),
    stdout: quiet(stdout instanceof Readable ? stdout : Readable.from([])),
    stderr: quiet(stderr instanceof Readable ? stderr : Readable.from([])),
    extra: rest.slice(0, extras).map((stream) => quiet(stream instanceof Duplex ? stream : closedDuplex())),
    signal: (name) => {
      if (!gone && child.pid !== undefined) sendSignal(child.pid, name);
    },
    ended,
  };
}

/** A child that ends before it has read all tells so by its end. */
function give(to: Duplex | Readable | Writable | null | undefined, bytes: Uint8Array): void {
  if (to instanceof Duplex) quiet(to).end(bytes);
}

/** To the group, but for what asks the child itself and would end programs that it runs. A group of which only zombies are left
 * answers ESRCH, on macOS EPERM: no error, the end is told by `ended`. */
function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(HAS_GROUPS && name !== 'SIGUSR1' ? -pid : pid, name);
  } catch (error) {
    if (!isErrno(error, 'ESRCH') && !isErrno(error, 'EPERM')) throw error;
  }
}

/**
 * `exit`, not `close`: what the child started may hold its streams open for ever. A program that cannot be
 * started emits `error` and never `exit`; a later `error` only says that a signal was not delivered.
 */
function endOf(child: ChildProcess): Promise<LaunchEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      // Programs that its code started, and that did not leave its group, end with it.
      if (HAS_GROUPS && child.pid !== undefined) sendSignal(child.pid, 'SIGKILL');
      resolve({ code, signal });
    });
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error: error.message });
    });
  });
}

/** A child that dies leaves EPIPE and ECONNRESET on its streams; its end is told by `ended`, not by them. */
function quiet<S extends Readable | Duplex>(stream: S): S {
  stream.on('error', () => stream.destroy());
  return stream;
}

function closedDuplex(): Duplex {
  return new Duplex({
    read() {
      this.push(null);
    },
    write(_chunk, _encoding, done) {
      done();
    },
  });
}

/** In place of one that could not be started, with streams that have ended. */
export function childNotStarted(error: unknown, extra = 0): Child {
  return {
    pid: undefined,
    heard: () => 0,
    wire: closedDuplex(),
    stdout: Readable.from([]),
    stderr: Readable.from([]),
    extra: Array.from({ length: extra }, closedDuplex),
    signal: () => undefined,
    ended: Promise.resolve({ code: null, signal: null, error: messageOf(error) }),
  };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
