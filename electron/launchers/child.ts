/**
 * Starts a child process for a launcher: stream errors never crash the app, the end is always reported, and
 * signals reach its whole process group.
 */
import { Socket } from 'node:net';
import { Duplex, Readable, type Writable } from 'node:stream';
import { type ChildProcess, type StdioOptions, spawnAlone } from '../host/child-process';
import { system } from '../host/system';
import type { LaunchEnd } from './launcher';

/** A child process with a wire on descriptor 3, and optional descriptors after it. */
export interface Child {
  /** undefined if the child could not be started. */
  pid: number | undefined;
  wire: Duplex;
  stdout: Readable;
  stderr: Readable;
  /** Bytes read so far from wire, stdout and stderr. */
  bytesRead(): number;
  /** Descriptors 4, 5, … as requested. */
  extra: Duplex[];
  /** Signals the child and its process group; does nothing after it ended. */
  signal(name: NodeJS.Signals): void;
  /** Resolves once, never rejects. */
  ended: Promise<LaunchEnd>;
}

export interface ChildOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  extraDescriptors?: number;
  /** Data that the child reads from one more descriptor, after the extra ones. */
  input?: Uint8Array;
  /** Folders of the control groups that it starts in. */
  groups?: readonly string[];
  /** Whether the child itself makes sure that it ends with the app. */
  endsWithParent?: boolean;
}

/**
 * Starts `command` without a shell, with exactly `env`, in its own process group, so Ctrl-C in the app's
 * terminal does not reach it and signals include its children. It ends with the app even if the app is
 * killed, because a busy process may not notice that its wire is closed.
 */
export function startChild(command: string, args: readonly string[], options: ChildOptions): Child {
  const { cwd, env, extraDescriptors: extras = 0, input, groups = [], endsWithParent = false } = options;
  const further: StdioOptions = Array.from({ length: extras + (input ? 1 : 0) }, () => 'pipe');
  let child: ChildProcess;
  try {
    child = spawnAlone(command, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...further],
      // On Windows it would open a console window.
      detached: system.isUnix,
      endsWithUs: !endsWithParent,
      groups,
    });
  } catch (error) {
    // Most failures are events, but some (E2BIG, a NUL byte in an argument) are thrown.
    return childNotStarted(error, extras);
  }
  const ended = endOf(child);
  const [, stdout, stderr, wire, ...rest] = child.stdio;
  if (input) writeInput(rest[extras], input);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const streams = [wire, stdout, stderr].flatMap((stream) => (stream instanceof Socket ? [stream] : []));
  return {
    pid: child.pid,
    bytesRead: () => streams.reduce((bytes, stream) => bytes + stream.bytesRead, 0),
    wire: quiet(wire instanceof Duplex ? wire : closedDuplex()),
    stdout: quiet(stdout instanceof Readable ? stdout : Readable.from([])),
    stderr: quiet(stderr instanceof Readable ? stderr : Readable.from([])),
    extra: rest.slice(0, extras).map((stream) => quiet(stream instanceof Duplex ? stream : closedDuplex())),
    signal: (name) => {
      if (!hasEnded && child.pid !== undefined) sendSignal(child.pid, name);
    },
    ended,
  };
}

/** Write errors are ignored: a child that ends before it has read everything reports that by its end. */
function writeInput(to: Duplex | Readable | Writable | null | undefined, bytes: Uint8Array): void {
  if (to instanceof Duplex) quiet(to).end(bytes);
}

/**
 * Signals the group, except for SIGUSR1, which would kill programs that the child runs. A group of zombies
 * yields ESRCH, or EPERM on macOS; that is no error, because `ended` reports the end.
 */
function sendSignal(pid: number, name: NodeJS.Signals): void {
  const [program, ...args] = (name === 'SIGKILL' && system.killTree(pid)) || [];
  if (program !== undefined)
    return void spawnAlone(program, args, { stdio: 'ignore' }).on('error', () => undefined);
  try {
    process.kill(system.isUnix && name !== 'SIGUSR1' ? -pid : pid, name);
  } catch (error) {
    if (!isErrno(error, 'ESRCH') && !isErrno(error, 'EPERM')) throw error;
  }
}

/**
 * Uses `exit`, not `close`, because children may keep the streams open. A program that cannot be started
 * emits `error` and never `exit`; a later `error` only means that a signal was not delivered.
 */
function endOf(child: ChildProcess): Promise<LaunchEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      // Kills the remaining processes of its group.
      if (system.isUnix && child.pid !== undefined) sendSignal(child.pid, 'SIGKILL');
      resolve({ code, signal });
    });
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error: error.message });
    });
  });
}

/** Ignores EPIPE and ECONNRESET of a dead child; `ended` reports its end. */
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

/** Returns a child that could not be started, with closed streams. */
export function childNotStarted(error: unknown, extra = 0): Child {
  return {
    pid: undefined,
    bytesRead: () => 0,
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
