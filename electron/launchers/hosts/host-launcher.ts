/**
 * Starts images on another machine, through a shell that a program such as ssh connects to. Its stdin and
 * stdout are the wire.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';
import { Duplex, Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { HarborError } from '../../contract/errors';
import type { ImageHost } from '../../contract/image-host';
import type { SandboxReport } from '../../contract/model';
import { type ChildProcess, spawnAlone } from '../../host/child-process';
import { bubblewrapArguments, type Mount, mountsFor } from '../../sandbox/bubblewrap-arguments';
import type { Confinement } from '../../sandbox/confinement';
import type { LaunchEnd, Launched, Launcher, Machine, Program } from '../launcher';
import {
  beginMark,
  DESCRIBE_MACHINE,
  type MachineParts,
  machineOf,
  marks,
  outputScript,
  quoted,
  startScript,
} from './host-scripts';

/**
 * The program that connects to a shell on the host. The user's own configuration, agent and known hosts apply.
 * A broken link is noticed within 15 s. Nothing of this computer is forwarded, and no question is asked.
 */
const SHELLS: Readonly<Record<ImageHost['launcher'], (host: ImageHost) => readonly string[]>> = {
  ssh: ({ address }) => [
    ...['ssh', '-T', '-a', '-x'],
    ...['-o', 'BatchMode=yes', '-o', 'ClearAllForwardings=yes', '-o', 'PermitLocalCommand=no'],
    ...['-o', 'ConnectTimeout=10', '-o', 'ServerAliveInterval=5', '-o', 'ServerAliveCountMax=2'],
    ...['--', address, 'sh'],
  ],
};

/** Maximum characters of a message from a host. */
const SHOWN = 600;

/** Milliseconds to wait for the last lines of a program that has ended. */
const LAST_LINES_MS = 2_000;

/** Milliseconds that a signal may take to get there. */
const SIGNAL_MS = 5_000;

/** Folders there that replace folders of this computer, by their paths here. */
type PathsThere = ReadonlyMap<string, string>;

export class HostLauncher implements Launcher, Machine {
  readonly host: ImageHost;
  #describing: Promise<void> | null = null;
  #parts: MachineParts | null = null;

  constructor(host: ImageHost) {
    this.host = host;
  }

  get sandbox(): SandboxReport {
    const { name } = this.host;
    const unconfined = this.#parts ? this.#parts.unconfined : 'the host was not reached yet';
    return unconfined === null
      ? { confined: true, launcher: 'bubblewrap', host: name, gaps: [`${name} sets no limit of its own`] }
      : { confined: false, launcher: 'local', host: name, reason: `${unconfined} (${name})` };
  }

  get machine(): Machine {
    return this;
  }

  prepare(): Promise<void> {
    this.#describing ??= this.run(DESCRIBE_MACHINE).then((output) => {
      this.#parts = machineOf(output);
      if (!this.#parts) throw this.#problem(`it answered: ${output.slice(0, SHOWN)}`);
    });
    this.#describing.catch(() => {
      this.#describing = null;
    });
    return this.#describing;
  }

  async run(lines: readonly string[]): Promise<string> {
    const nonce = randomUUID();
    const child = this.#connect();
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(outputScript(nonce, lines));
    const [output, errors, code] = await Promise.all([
      child.stdout ? text(child.stdout) : '',
      child.stderr ? text(child.stderr) : '',
      exitCode(child),
    ]);
    const begin = output.indexOf(beginMark(nonce));
    if (code === 0 && begin >= 0) return output.slice(begin + beginMark(nonce).length + 1);
    throw this.#problem(errors.trim().slice(-SHOWN) || `the shell ended with code ${code ?? '(unknown)'}`);
  }

  projectThere(project: string): string {
    const { project: how, name } = this.host;
    if ('shared' in how) return project;
    const [here, there] =
      Object.entries(how.map).find(([folder]) => project === folder || project.startsWith(`${folder}/`)) ??
      [];
    if (here !== undefined && there !== undefined) return path.posix.join(there, project.slice(here.length));
    throw new HarborError(
      'bad_arguments',
      `The host ${name} has no folder for the project ${project}. The user can add it to the map of the host in the settings.`,
    );
  }

  /**
   * Starts a program of the host. Folders of this computer appear there at the same paths if the image is
   * confined; otherwise the project must have the same path.
   */
  launch(program: Program, confinement: Confinement): Launched {
    const machine = this.#parts;
    if (!machine) throw this.#problem('it was not prepared');
    const session = path.dirname(program.env.HOME ?? '');
    const folder = path.posix.join(machine.cache, 'sessions', path.basename(session));
    const project = this.projectThere(program.cwd);
    const there: PathsThere = new Map([
      [program.cwd, project],
      [session, folder],
    ]);
    const folders = ['home/tmp', 'checkpoints'].map((name) => path.posix.join(folder, name));
    if (machine.unconfined === null)
      return this.#start({ ...confined(program, confinement, machine, there), cwd: project, folders });
    if (project !== program.cwd)
      throw this.#problem(
        `${machine.unconfined}, so the project must have the same path there: ${program.cwd}`,
      );
    const local = (value: string) => value.replaceAll(session, folder);
    const env = Object.entries(program.env).map(([name, value]) => `${name}=${local(value)}`);
    const args = ['-i', ...env, program.command, ...program.args];
    return this.#start({ command: 'env', args, cwd: project, folders });
  }

  #start(started: Parameters<typeof startScript>[1]): Launched {
    const nonce = randomUUID();
    const { ready, pid, ended } = marks(nonce);
    const child = this.#connect();
    const wire = new LinkedWire(child, ready);
    const errors = new MarkedLines([pid, ended]);
    child.stderr?.pipe(errors);
    child.stdin?.write(startScript(nonce, started));
    return {
      wire,
      stdout: Readable.from([]),
      stderr: errors,
      sandbox: this.sandbox,
      signal: async (name) => {
        const target = errors.found(pid) ?? '';
        const sent = /^\d+$/.test(target)
          ? this.run([`kill -s ${quoted(name.slice('SIG'.length))} ${target}`]).catch(() => undefined)
          : Promise.resolve();
        await Promise.race([sent, pause(SIGNAL_MS)]);
        if (name === 'SIGKILL') child.kill('SIGKILL');
      },
      ended: this.#endOf(child, wire, errors, ended),
      usage: async () => null,
    };
  }

  async #endOf(
    child: ChildProcess,
    wire: LinkedWire,
    errors: MarkedLines,
    ended: string,
  ): Promise<LaunchEnd> {
    await exitCode(child);
    // A shared connection of the user's ssh may keep the stream open.
    await Promise.race([errors.drained, pause(LAST_LINES_MS)]);
    const { isReady } = wire;
    wire.close();
    const code = errors.found(ended);
    if (code !== null) return endOf(Number(code));
    const why = errors.tail.trim().slice(-SHOWN);
    if (isReady)
      return {
        code: null,
        signal: null,
        lost: `the link to ${this.host.name} was lost${why ? ` (${why})` : ''}`,
      };
    return { code: null, signal: null, error: `${this.host.name} cannot be reached: ${why || 'no message'}` };
  }

  #connect(): ChildProcess {
    const [command = '', ...args] = SHELLS[this.host.launcher](this.host);
    return spawnAlone(command, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, endsWithUs: true });
  }

  #problem(why: string): HarborError {
    return new HarborError('engine_unavailable', `The host ${this.host.name} cannot be used: ${why}.`);
  }
}

/** Returns the command that runs a program in bubblewrap there, with the paths of this computer. */
function confined(
  program: Program,
  confinement: Confinement,
  { layout }: MachineParts,
  there: PathsThere,
): Pick<Program, 'command' | 'args'> {
  const planned = mountsFor(program, { ...confinement, network: false }).flatMap((mount) =>
    mountThere(mount, program, there),
  );
  const args = bubblewrapArguments(program, { network: false, mounts: planned }, layout, {});
  return { command: 'bwrap', args };
}

/** Returns the mount of a program of the machine, or of the project and the folders of the session from their places there. */
function mountThere(mount: Mount, { needs }: Program, there: PathsThere): Mount[] {
  if (needs.includes(mount.at)) return [mount];
  for (const [here, folder] of there)
    if (mount.at === here || mount.at.startsWith(`${here}/`))
      return [{ ...mount, from: path.posix.join(folder, mount.at.slice(here.length)) }];
  return [];
}

function exitCode(child: ChildProcess): Promise<number | null> {
  return once(child, 'exit').then(
    ([code]) => code as number | null,
    () => null,
  );
}

/** @param code of a shell: from 128 on, that of a signal */
function endOf(code: number): LaunchEnd {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? [];
  return name === undefined ? { code, signal: null } : { code: null, signal: name as NodeJS.Signals };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** The wire: what follows the mark on stdout, and stdin from then on. */
class LinkedWire extends Duplex {
  readonly #child: ChildProcess;
  readonly #mark: string;
  #before: Buffer | null = Buffer.alloc(0);
  /** Writes that wait for the mark. */
  #waiting: (() => void)[] = [];

  constructor(child: ChildProcess, mark: string) {
    super({ allowHalfOpen: true });
    this.#child = child;
    this.#mark = `${mark}\n`;
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stdout?.on('end', () => this.push(null));
    child.stdout?.on('error', () => undefined);
    this.on('error', () => undefined);
  }

  get isReady(): boolean {
    return this.#before === null;
  }

  /** The shell has ended: nothing more can be written. */
  close(): void {
    this.#before = null;
    for (const write of this.#waiting.splice(0)) write();
    this.#child.stdin?.destroy();
  }

  override _read(): void {
    this.#child.stdout?.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // A broken link is reported by the end of the process.
    const write = () => {
      const { stdin } = this.#child;
      if (stdin?.writable) stdin.write(chunk, encoding, () => done());
      else done();
    };
    if (this.isReady) write();
    else this.#waiting.push(write);
  }

  override _final(done: () => void): void {
    this.#child.stdin?.end();
    done();
  }

  #receive(chunk: Buffer): void {
    let data = chunk;
    if (this.#before !== null) {
      const before = Buffer.concat([this.#before, chunk]);
      const at = before.indexOf(this.#mark);
      if (at < 0) {
        this.#before = before;
        return;
      }
      this.#before = null;
      data = before.subarray(at + Buffer.byteLength(this.#mark));
      for (const write of this.#waiting.splice(0)) write();
    }
    if (data.length > 0 && !this.push(data)) this.#child.stdout?.pause();
  }
}

/** Passes lines on, except those that begin with a mark, and the line break that separates such a line. */
class MarkedLines extends Transform {
  readonly #marks: readonly string[];
  readonly #found = new Map<string, string>();
  /** Resolves when all is read. */
  readonly drained: Promise<void>;
  /** The last characters. */
  tail = '';
  #partial = '';
  /** An empty line that was not passed on yet. */
  #separator = '';

  constructor(marks: readonly string[]) {
    super({ decodeStrings: true, readableHighWaterMark: 1024 * 1024 });
    this.#marks = marks;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.drained = promise;
    this.once('finish', () => resolve());
  }

  /** Returns what follows the mark; null before it came. */
  found(mark: string): string | null {
    return this.#found.get(mark) ?? null;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const lines = (this.#partial + chunk.toString('utf8')).split('\n');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#take(`${line}\n`);
    done();
  }

  override _flush(done: () => void): void {
    if (this.#partial !== '') this.#take(this.#partial);
    if (this.#separator !== '') this.push(this.#separator);
    done();
  }

  #take(line: string): void {
    const mark = this.#marks.find((each) => line.startsWith(each));
    const separated = this.#separator;
    this.#separator = line === '\n' ? line : '';
    if (mark === undefined && separated !== '') this.push(separated);
    if (this.#separator !== '') return;
    if (mark !== undefined) {
      this.#found.set(mark, line.slice(mark.length).trim());
      return;
    }
    this.tail = (this.tail + line).slice(-SHOWN);
    this.push(line);
  }
}
