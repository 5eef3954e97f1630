/**
 * Reads forms from a stream of lines, shows the engine's prompt and evaluates through the session: what the
 * window's REPL, telnet and the command line are streams for. It echoes nothing; whoever types draws the line. An
 * unhandled condition holds the session, as at the engine's own prompt: a number then takes a restart.
 */
import { EventEmitter } from 'node:events';
import { asFailure } from '../contract/errors';
import type { Condition } from '../contract/model';
import { completeness } from '../source/complete';
import { type Dialect, dialectOf } from '../source/dialect';
import type { OutputEvent, SessionEvents } from './events';
import { heldText, resultText } from './listener-text';
import { restartArguments, restartCode } from './restart-arguments';
import type { RunningEvaluation } from './session/running-evaluation';
import type { Session } from './session/session';

/** Characters of transcript that a window which joins later is shown. */
const TRANSCRIPT_LIMIT = 500_000;

/** What was typed and waits to be read. */
interface Typed {
  text: string;
  taken: () => void;
}

export interface ListenerEvents {
  output: [text: string];
  /** It waits for somebody to type: at its prompt, for the rest of a form, or for a line that code reads. */
  waiting: [];
}

export class Listener extends EventEmitter<ListenerEvents> {
  readonly #session: Session;
  readonly #events: SessionEvents;
  readonly #client: string;
  readonly #dialect: Dialect;
  readonly #typed: Typed[] = [];
  #pending = '';
  #transcript = '';
  /** Evaluations whose output is shown: this listener's own, and those it let go on. */
  readonly #followed = new Map<number, RunningEvaluation>();
  /** The debugger level that the prompt shows. */
  #level = 0;
  /** The restart for which an argument is awaited. */
  #asking: number | null = null;
  #working = false;
  #reader: ((line: string) => void) | null = null;
  #latest: RunningEvaluation | null = null;
  #fresh = true;

  constructor(session: Session, events: SessionEvents, client: string) {
    super();
    this.#session = session;
    this.#events = events;
    this.#client = client;
    this.#dialect = dialectOf(session.identity.engine);
    events.on('output', this.#onOutput);
    this.#show(session.sandboxNotes.map((note) => `; ${note}\n`).join(''));
    this.#prompt();
  }

  /** Everything shown and typed so far, prompt last. */
  get transcript(): string {
    return this.#transcript;
  }

  /** The evaluation that it followed last, which may be over. */
  get latest(): RunningEvaluation | null {
    return this.#latest;
  }

  /** What it takes what is typed next for. */
  get expects(): 'form' | 'rest of a form' | 'value' | 'line' {
    if (this.#reader) return 'line';
    if (this.#pending !== '') return 'rest of a form';
    return this.#asking === null ? 'form' : 'value';
  }

  /**
   * Takes one or more lines, one submission after another. They go to code that reads while there is any; otherwise
   * they are evaluated once they make up whole forms. Resolves when they have been taken so; never rejects.
   */
  submit(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#typed.push({ text, taken: resolve });
    this.#answerReader();
    void this.#work();
    return promise;
  }

  /** Forgets a form that was begun, as after Ctrl+C at the prompt. */
  cancel(): void {
    this.#pending = '';
    this.#asking = null;
    this.#prompt();
  }

  end(): void {
    this.#events.off('output', this.#onOutput);
    this.emit('waiting');
    this.removeAllListeners();
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let next = this.#typed.shift(); next; next = this.#typed.shift()) {
      await this.#read(next.text);
      next.taken();
    }
    this.#working = false;
    this.emit('waiting');
  }

  /** The oldest line typed and not yet taken, or the next one: for code that reads, as at a terminal. */
  readonly #nextLine = (): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#reader = resolve;
    if (!this.#answerReader()) this.emit('waiting');
    return promise;
  };

  /** Whether code that reads has got a line. */
  #answerReader(): boolean {
    const read = this.#reader;
    const line = read && this.#typed.shift();
    if (!line) return false;
    this.#reader = null;
    this.#remember(`${line.text}\n`);
    read(line.text);
    line.taken();
    return true;
  }

  async #read(text: string): Promise<void> {
    this.#remember(`${text}\n`);
    this.#pending += `${text}\n`;
    const state = completeness(this.#pending, this.#dialect);
    if (state === 'incomplete') return;
    const code = this.#pending.trim();
    this.#pending = '';
    if (state === 'complete')
      this.#show(await this.#perform(code).catch((error) => `; ${asFailure(error).message}\n`));
    this.#prompt();
  }

  /** What to show once `code` is evaluated or the restart taken that it names or gives an argument to. */
  async #perform(code: string): Promise<string> {
    const asking = this.#asking;
    this.#asking = null;
    if (asking !== null) return this.#takeRestart(asking, [code]);
    const restarts = this.#level > 0 && /^\d+$/.test(code) ? this.#session.held?.held?.restarts : undefined;
    if (restarts) return this.#choose(restarts, Number(code));
    return this.#evaluate(code);
  }

  async #evaluate(code: string): Promise<string> {
    const evaluation = this.#session.evaluate({
      client: this.#client,
      kind: 'listener',
      code,
      input: this.#nextLine,
      ...(this.#level > 0 ? { level: this.#level } : {}),
      ...(this.#session.offers('debugger') ? { onError: 'debug' } : {}),
    });
    return this.#follow(evaluation);
  }

  /** A restart that asks for one value gets what is typed next. */
  async #choose(restarts: Condition['restarts'], index: number): Promise<string> {
    const restart = restarts[index];
    if (!restart) return `; There is no restart ${index}; there are ${restarts.length}, from 0.\n`;
    const [asked, ...more] = restart.arguments;
    if (asked === undefined) return this.#takeRestart(index);
    if (asked === 'value' && more.length === 0) {
      this.#asking = index;
      return '';
    }
    return `; ${restart.name} asks for ${restart.arguments.join(', ')}: (invoke-restart '${restart.name} …) gives them.\n`;
  }

  async #takeRestart(restart: number, codes?: string[]): Promise<string> {
    const { held } = this.#session;
    if (held) this.#followed.set(held.id, held);
    const choice = {
      restart,
      ...(codes === undefined ? {} : { arguments: restartArguments(codes, this.#session) }),
    };
    const act = { client: this.#client, tool: 'listener', code: restartCode(restart, codes) };
    const { evaluation: id } = await (await this.#session.debuggerFor(act)).restart(choice);
    if (id === undefined) return '';
    const evaluation = this.#followed.get(id) ?? this.#session.pending(id);
    return evaluation ? this.#follow(evaluation) : '';
  }

  /** Shows what it prints until it ends or is held; answers what to show then. */
  async #follow(evaluation: RunningEvaluation): Promise<string> {
    const held = this.#followed.has(evaluation.id);
    this.#followed.set(evaluation.id, evaluation);
    this.#latest = evaluation;
    const closed = await evaluation.atRest;
    this.#reader = null;
    this.#freshLine();
    if (closed) this.#followed.delete(evaluation.id);
    if (closed) return resultText(closed, held);
    return evaluation.held ? heldText(evaluation.held) : '';
  }

  readonly #onOutput = ({ evaluation, text }: OutputEvent): void => {
    if (this.#followed.has(evaluation)) this.#show(text);
  };

  /** What is typed next is meant for the level that the prompt says, whatever happens meanwhile. */
  #prompt(): void {
    this.#level = this.#session.level;
    const { image } = this.#session;
    this.#show(this.#asking === null ? image.prompt(this.#level) : 'Enter a form for the value: ');
  }

  /** Begins a new line unless it is at the start of one already, as CLHS `fresh-line` does. */
  #freshLine(): void {
    if (!this.#fresh) this.#show('\n');
  }

  #show(text: string): void {
    if (text === '') return;
    this.#remember(text);
    this.emit('output', text);
  }

  #remember(text: string): void {
    this.#transcript = (this.#transcript + text).slice(-TRANSCRIPT_LIMIT);
    this.#fresh = text.endsWith('\n');
  }
}
