/**
 * Runs a command that calls a tool. stdout gets the answer, errors of Lisp included, and nothing else; stderr what is to be
 * said of the command itself. Exit codes: 0, 1 an error, 2 misused, 3 it goes on as a job, 130 interrupted.
 */
import type { Socket } from 'node:net';
import type { Printed, ToolAnswer, ToolCall, ToolHello } from '../../contract/local-socket';
import type { TestRun } from '../../contract/report';
import { type DataFolder, dataFolder, defaultRoot } from '../../host/data-folder';
import { lockHolder } from '../../host/lock-holder';
import { exchange, interrupt } from './exchange';
import { folderGiven, helpOf, readGiven } from './given';
import { joinHarbor } from './harbor-socket';
import { type Given, Misuse, type ToolCommand } from './tool-command';
import { TOOL_COMMANDS } from './tool-commands';

type Counts = NonNullable<TestRun['counts']>;

const INTERRUPTED = 130;
const GOES_ON = 3;
/** As the harbor takes it. */
const LONGEST_NAME = 80;

/** A harbor takes a call at once, however long it then runs; a busy one takes its time. In milliseconds. */
const PATIENCE_MS = 5_000;

/** What a command needs of its process. */
export type CommandProcess = Pick<
  NodeJS.Process,
  'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd' | 'on' | 'off' | 'exit'
>;

/** @param words the name of the command, and what follows it. @returns the exit code */
export async function runToolCommand(
  [name = '', ...words]: readonly string[],
  of: CommandProcess,
): Promise<number> {
  const command = TOOL_COMMANDS.get(name);
  if (command === undefined) throw new Error(`${name} calls no tool`);
  // Whoever closes the pipe has read enough.
  of.stdout.on('error', () => of.exit(0));
  try {
    if (asksForHelp(words)) of.stdout.write(helpOf(name, command));
    else return await new Run(name, command, words, of).run();
    return 0;
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    of.stderr.write(`lisp-harbor: ${message}\n`);
    return error instanceof Misuse ? 2 : 1;
  }
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).some((word) => word === '--help' || word === '-h');
}

class Run {
  readonly #command: ToolCommand;
  readonly #process: CommandProcess;
  readonly #given: Given;
  readonly #folder: DataFolder;
  #interrupts = 0;
  /** Whether what was shown last ended a line. */
  #atLineStart = true;

  /** @throws Misuse */
  constructor(name: string, command: ToolCommand, words: readonly string[], of: CommandProcess) {
    this.#command = command;
    this.#process = of;
    const { stdin, stdout } = of;
    const isWatched = stdout.isTTY === true;
    this.#given = readGiven(name, command, words, { folder: typedIn(of), stdin, isWatched });
    const data = this.#given.text('data');
    this.#folder = dataFolder(data === undefined ? defaultRoot() : this.#given.file(data));
  }

  async run(): Promise<number> {
    const call = await this.#command.asks(this.#given);
    const silence = setTimeout(() => this.#sayWhoIsSilent(), PATIENCE_MS);
    const answer = await this.#ask(call, () => clearTimeout(silence)).finally(() => clearTimeout(silence));
    const text = this.#given.isSet('json') ? JSON.stringify(answer.data) : answer.text;
    if (!this.#atLineStart) this.#process.stdout.write('\n');
    if (text !== '') this.#process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    const goesOn = 'job' in answer.data;
    if (goesOn) this.#sayHow(String(answer.data.job));
    if (this.#interrupts > 0) return INTERRUPTED;
    if (answer.isError || hasFailedTests(answer.data)) return 1;
    return goesOn ? GOES_ON : 0;
  }

  async #ask(call: ToolCall, onTaken: () => void): Promise<ToolAnswer> {
    const hello = this.#hello();
    const { socket, secret } = await joinHarbor(this.#folder, this.#say);
    const onInterrupt = () => this.#interrupt(socket);
    this.#process.on('SIGINT', onInterrupt);
    try {
      return await exchange(socket, { hello: { ...hello, secret }, call, show: this.#show, onTaken });
    } finally {
      this.#process.off('SIGINT', onInterrupt);
    }
  }

  /** @throws Misuse */
  #hello(): Omit<ToolHello, 'secret'> {
    const given = this.#given;
    const project = folderGiven(given, 'project');
    const [session, engine] = [given.text('session'), given.text('engine')];
    const agent = agentIn(this.#process);
    return {
      kind: 'tool',
      folder: typedIn(this.#process),
      ...(agent !== undefined && { agent }),
      live: given.isWatched && !given.isSet('json'),
      ...(project !== undefined && { project }),
      ...(session !== undefined && { session }),
      ...(engine !== undefined && { engine }),
    };
  }

  #interrupt(socket: Socket): void {
    this.#interrupts += 1;
    const givesUp = this.#command.onlyWaits || this.#interrupts > 1;
    this.#say(givesUp ? 'no longer waiting.' : 'interrupting; Ctrl+C again gives up.');
    if (givesUp) this.#process.exit(INTERRUPTED);
    interrupt(socket);
  }

  readonly #show = (text: string, stream: Printed): void => {
    this.#process[stream].write(text);
    this.#atLineStart = text.endsWith('\n');
  };

  #sayWhoIsSilent(): void {
    const holder = lockHolder(this.#folder.lock);
    if (holder)
      this.#say(
        `the harbor (process ${holder.pid}) has not answered yet. If it hangs, end that process; Ctrl+C gives up.`,
      );
  }

  #sayHow(job: string): void {
    const id = job.replace('job-', '');
    this.#say(`"lisp-harbor job ${id}" waits for it, "lisp-harbor job cancel ${id}" interrupts it.`);
  }

  readonly #say = (line: string): void => {
    this.#process.stderr.write(`lisp-harbor: ${line}\n`);
  };
}

/** Whether tests ran of which some failed: to a tool that is an answer like any other, to a shell it is none. */
function hasFailedTests({ report }: ToolAnswer['data']): boolean {
  const { runs = [] } = Object(report) as { runs?: readonly { counts?: Partial<Counts> | null }[] };
  return runs.some(({ counts }) => (counts?.failed ?? 0) + (counts?.errors ?? 0) > 0);
}

/** Agents that work in one folder and have names of their own have sessions of their own. @throws Misuse */
function agentIn({ env }: Pick<CommandProcess, 'env'>): string | undefined {
  const name = env.LISP_HARBOR_AGENT || undefined;
  if (name === undefined || name.length <= LONGEST_NAME) return name;
  throw new Misuse(`LISP_HARBOR_AGENT has ${name.length} characters; a name has at most ${LONGEST_NAME}.`);
}

/** npm runs a script in the folder of its package, and tells where it was asked. */
function typedIn({ env, cwd }: Pick<CommandProcess, 'env' | 'cwd'>): string {
  const asked = env.npm_lifecycle_event === 'lisp-harbor' ? env.INIT_CWD : undefined;
  return asked ?? cwd();
}
