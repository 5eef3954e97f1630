/**
 * Runs a command that calls a tool. stdout gets only the answer, including Lisp errors; stderr gets messages
 * of the command itself. Exit codes: 0 success, 1 error, 2 misuse, 3 continues as a job, 4 tests of which
 * nothing is known, 130 interrupted.
 */

import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type {
  LocalReply,
  Printed,
  ToolAnswer,
  ToolCall,
  ToolHello,
  ToToolCaller,
} from '../../contract/local-socket';
import { type DataFolder, dataFolder, defaultRoot } from '../../host/data-folder';
import { reachHarbor } from '../../host/harbor-reach';
import { LineReader } from '../../host/line-reader';
import { addListeners } from '../../host/listeners';
import { lockOwner } from '../../host/lock-owner';
import { folderOption, helpOf, parsedArguments } from './parsed-arguments';
import { Misuse, type ParsedArguments, TOOL_COMMANDS, type ToolCommand } from './tool-commands';
import type { Verdict } from './verdict';

const INTERRUPTED = 130;
const GOES_ON = 3;
/** The harbor’s limit. */
const LONGEST_NAME = 80;

/**
 * Time after which a missing response is reported, in milliseconds. A harbor accepts a call quickly, however
 * long it runs.
 */
const UNRESPONSIVE_MS = 5_000;

/** The parts of a process that a command uses. */
export type CommandProcess = Pick<
  NodeJS.Process,
  'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd' | 'on' | 'off' | 'exit'
>;

/**
 * @param words the command name and its arguments
 * @returns the exit code
 */
export async function runToolCommand(
  [name = '', ...words]: readonly string[],
  of: CommandProcess,
): Promise<number> {
  const command = TOOL_COMMANDS.get(name);
  if (command === undefined) throw new Error(`${name} calls no tool`);
  // The reader of the pipe has read enough.
  of.stdout.on('error', () => of.exit(0));
  try {
    if (requestsHelp(words)) of.stdout.write(helpOf(name, command));
    else return await new Run(name, command, words, of).run();
    return 0;
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    of.stderr.write(`lisp-harbor: ${message}\n`);
    return error instanceof Misuse ? 2 : 1;
  }
}

function requestsHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).some((word) => word === '--help' || word === '-h');
}

class Run {
  readonly #command: ToolCommand;
  readonly #process: CommandProcess;
  readonly #arguments: ParsedArguments;
  readonly #folder: DataFolder;
  #interrupts = 0;
  /** Whether the last output ended with a line break. */
  #atLineStart = true;

  /** @throws Misuse */
  constructor(name: string, command: ToolCommand, words: readonly string[], of: CommandProcess) {
    this.#command = command;
    this.#process = of;
    const { stdin, stdout } = of;
    const isWatched = stdout.isTTY === true;
    this.#arguments = parsedArguments(name, command, words, { folder: typedIn(of), stdin, isWatched });
    const data = this.#arguments.text('data');
    this.#folder = dataFolder(data === undefined ? defaultRoot() : this.#arguments.file(data));
  }

  async run(): Promise<number> {
    const call = await this.#command.toToolCall(this.#arguments);
    const silence = setTimeout(() => this.#reportUnresponsive(), UNRESPONSIVE_MS);
    const answer = await this.#send(call, () => clearTimeout(silence)).finally(() => clearTimeout(silence));
    const text = this.#arguments.isSet('json') ? JSON.stringify(answer.data) : answer.text;
    if (!this.#atLineStart) this.#process.stdout.write('\n');
    if (text !== '') this.#process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    const goesOn = 'job' in answer.data;
    if (goesOn) this.#printJobHint(String(answer.data.job));
    if (this.#interrupts > 0) return INTERRUPTED;
    if (answer.isError) return 1;
    const verdict = await this.#verdict(call, answer);
    if (verdict.unproved.length > 0) this.#print(`not proved: ${verdict.unproved.join('; ')}.`);
    return verdict.code === 1 || !goesOn ? verdict.code : GOES_ON;
  }

  /** Loads its code on demand, because most answers have no report. */
  async #verdict({ tool }: ToolCall, { data }: ToolAnswer): Promise<Verdict> {
    if (tool !== 'run_tests' && !('report' in data)) return { code: 0, unproved: [] };
    return (await import('./verdict')).verdictOn(data, tool, this.#arguments);
  }

  async #send(call: ToolCall, onAccepted: () => void): Promise<ToolAnswer> {
    const hello = this.#hello();
    const { socket, secret } = await joinHarbor(this.#folder, this.#print);
    const removeListener = addListeners(this.#process, (on) => on('SIGINT', () => this.#interrupt(socket)));
    try {
      return await exchange(socket, {
        hello: { ...hello, secret },
        call,
        show: this.#show,
        onAccepted: onAccepted,
      });
    } finally {
      removeListener();
    }
  }

  /** @throws Misuse */
  #hello(): Omit<ToolHello, 'secret'> {
    const parsed = this.#arguments;
    const project = folderOption(parsed, 'project');
    const [session, engine] = [parsed.text('session'), parsed.text('engine')];
    const agent = agentIn(this.#process);
    return {
      kind: 'tool',
      folder: typedIn(this.#process),
      ...(agent !== undefined && { agent }),
      live: parsed.isWatched && !parsed.isSet('json'),
      ...(project !== undefined && { project }),
      ...(session !== undefined && { session }),
      ...(engine !== undefined && { engine }),
    };
  }

  #interrupt(socket: Socket): void {
    this.#interrupts += 1;
    const givesUp = this.#command.onlyWaits || this.#interrupts > 1;
    this.#print(givesUp ? 'no longer waiting.' : 'interrupting; press Ctrl+C again to stop waiting.');
    if (givesUp) this.#process.exit(INTERRUPTED);
    interrupt(socket);
  }

  readonly #show = (text: string, stream: Printed): void => {
    this.#process[stream].write(text);
    this.#atLineStart = text.endsWith('\n');
  };

  #reportUnresponsive(): void {
    const holder = lockOwner(this.#folder.lock);
    if (holder)
      this.#print(
        `the harbor (process ${holder.pid}) has not responded yet. If it hangs, kill that process; Ctrl+C stops waiting.`,
      );
  }

  #printJobHint(job: string): void {
    const id = job.replace('job-', '');
    this.#print(`"lisp-harbor job ${id}" waits for it, "lisp-harbor job cancel ${id}" interrupts it.`);
  }

  readonly #print = (line: string): void => {
    this.#process.stderr.write(`lisp-harbor: ${line}\n`);
  };
}

/**
 * Returns the agent’s name. Agents with different names in one folder have separate sessions. @throws Misuse
 */
function agentIn({ env }: Pick<CommandProcess, 'env'>): string | undefined {
  const name = env.LISP_HARBOR_AGENT || undefined;
  if (name === undefined || name.length <= LONGEST_NAME) return name;
  throw new Misuse(`LISP_HARBOR_AGENT has ${name.length} characters; a name has at most ${LONGEST_NAME}.`);
}

/**
 * Returns the folder in which the command was typed. npm runs a script in its package’s folder and passes the
 * original one in INIT_CWD.
 */
function typedIn({ env, cwd }: Pick<CommandProcess, 'env' | 'cwd'>): string {
  const original = env.npm_lifecycle_event === 'lisp-harbor' ? env.INIT_CWD : undefined;
  return original ?? cwd();
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;

interface Exchange {
  hello: ToolHello;
  call: ToolCall;
  /** Called with output, if the hello requests it. */
  show: (text: string, stream: Printed) => void;
  /** Called when the harbor has accepted the call, which may then run for long. */
  onAccepted: () => void;
}

const LOST =
  'The harbor stopped before it answered. The code may have run: check with "lisp-harbor call history".';
const OTHER_VERSION =
  'The running harbor is another version. Stop it with "lisp-harbor stop"; its sessions are restored by the next one.';

/** Sends one call over the harbor’s local socket. @throws Error why there is no answer */
function exchange(socket: Socket, { hello, call, show, onAccepted }: Exchange): Promise<ToolAnswer> {
  const lines = new LineReader(MAX_LINE_BYTES);
  const answered = new Promise<ToolAnswer>((resolve, reject) => {
    const receive = (text: string): void => {
      const message = messageIn(text);
      if (message === null) reject(new Error(OTHER_VERSION));
      else if ('output' in message) show(message.output, message.stream);
      else if ('taken' in message) onAccepted();
      else if (message.ok) resolve(message.value as ToolAnswer);
      else reject(refusal(message.message));
    };
    socket.on('data', (chunk) => {
      for (const line of lines.read(chunk)) if ('text' in line) receive(line.text);
    });
    socket.on('error', () => {
      // `close` follows and is handled.
    });
    socket.once('close', () => reject(new Error(LOST)));
  });
  socket.write(`${JSON.stringify(hello)}\n${JSON.stringify(call)}\n`);
  return answered.finally(() => socket.destroy());
}

/** Asks the harbor to interrupt the call, which is reported in its answer. */
function interrupt(socket: Socket): void {
  if (socket.writable) socket.write('{"interrupt":true}\n');
}

function messageIn(text: string): ToToolCaller | LocalReply | null {
  try {
    return JSON.parse(text) as ToToolCaller | LocalReply;
  } catch {
    return null;
  }
}

/** A harbor that does not understand this hello has another version. */
function refusal(message: string): Error {
  return new Error(message.startsWith('The first line is no hello') ? OTHER_VERSION : message);
}

interface HarborSocket {
  socket: Socket;
  /** The secret that the socket requires. */
  secret: string;
}

/**
 * Connects to the harbor of a data folder, or starts one hidden.
 * @param print prints a message for the user
 * @throws Error why there is no harbor
 */
async function joinHarbor(folder: DataFolder, print: (line: string) => void): Promise<HarborSocket> {
  const options = {
    socketPath: () => lockOwner(folder.lock)?.socket ?? folder.socket,
    isLocked: () => lockOwner(folder.lock) !== null,
    startHarbor: async () => {
      print('starting a harbor in the background; "lisp-harbor stop" stops it.');
      return (await starting(folder)).startHarbor();
    },
  };
  const socket = await reachHarbor(options);
  return { socket, secret: (await readFile(folder.bridgeSecret, 'utf8')).trim() };
}

/** Loaded on demand. Connecting to a running harbor takes a tenth of the time. */
async function starting(folder: DataFolder) {
  const [{ reachOptions }, { parseOptions }] = await Promise.all([
    import('../../host/hidden-start'),
    import('../../host/options'),
  ]);
  return reachOptions(folder, parseOptions([]));
}
