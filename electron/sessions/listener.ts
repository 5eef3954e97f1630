/**
 * Reads forms from a stream of lines, shows the engine's prompt and evaluates through the session: what the
 * window's REPL, telnet and the command line are streams for. It echoes nothing; whoever types draws the line. An
 * unhandled condition holds the session, as at the engine's own prompt: a number then takes a restart.
 */
import { EventEmitter } from 'node:events';
import { asFailure } from '../contract/errors';
import type { Expected, ListenerView, TakenBack } from '../contract/listener';
import type { Condition, SessionView } from '../contract/model';
import { completeness } from '../source/complete';
import { type Dialect, dialectOf } from '../source/dialect';
import type { OutputEvent, SessionEvents } from './events';
import { withKeptValues } from './kept-values';
import { askingText, HELP, heldText, helpText, noRestartText, resultText } from './listener-text';
import { ListenerTranscript } from './listener-transcript';
import { restartArguments, restartCode } from './restart-arguments';
import type { RunningEvaluation } from './session/running-evaluation';
import type { Session } from './session/session';

/** What was typed and waits to be read. */
interface Typed {
  text: string;
  /** The debugger level that it was typed for; absent: the one that the prompt shows. */
  level: number | undefined;
  taken: () => void;
}

export interface ListenerEvents {
  output: [text: string];
  /** It waits for somebody to type: at its prompt, for the rest of a form, or for a line that code reads. */
  waiting: [];
  /** Its view is another one now. */
  changed: [];
}

export class Listener extends EventEmitter<ListenerEvents> {
  readonly #session: Session;
  readonly #events: SessionEvents;
  readonly #client: string;
  readonly #dialect: Dialect;
  readonly #typed: Typed[] = [];
  readonly #transcript = new ListenerTranscript();
  #pending = '';
  /** Evaluations whose output is shown: this listener's own, and those it let go on. */
  readonly #followed = new Map<number, RunningEvaluation>();
  /** The debugger level that the prompt shows. */
  #level = 0;
  /** The restart for which an argument is awaited. */
  #asking: number | null = null;
  #working = false;
  #reader: ((line: string) => void) | null = null;
  #latest: RunningEvaluation | null = null;

  constructor(session: Session, events: SessionEvents, client: string) {
    super();
    this.#session = session;
    this.#events = events;
    this.#client = client;
    this.#dialect = dialectOf(session.identity.engine);
    events.on('output', this.#onOutput);
    events.on('changed', this.#onChanged);
    this.#show(session.sandboxNotes.map((note) => `; ${note}\n`).join(''));
    this.#prompt();
  }

  /** Everything shown and typed so far, prompt last. */
  get transcript(): string {
    return this.#transcript.text;
  }

  /** The evaluation that it followed last, which may be over. */
  get latest(): RunningEvaluation | null {
    return this.#latest;
  }

  /** What a window shows beside the text. */
  get view(): ListenerView {
    return {
      prompt: this.#session.image.prompt(this.#session.level).trim(),
      level: this.#session.level,
      expects: this.expects,
      typed: this.#typed.map(({ text }) => text),
      evaluation: this.#own?.id ?? null,
    };
  }

  /** What it takes what is typed next for. */
  get expects(): Expected {
    if (this.#reader) return 'line';
    if (this.#pending !== '') return 'rest of a form';
    return this.#asking === null ? 'form' : 'value';
  }

  /**
   * Takes one or more lines, one submission after another. They go to code that reads while there is any; otherwise
   * they are evaluated once they make up whole forms. Resolves when they have been taken so; never rejects.
   */
  submit(text: string, level?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#typed.push({ text, level, taken: resolve });
    this.#answerReader();
    void this.#work();
    this.emit('changed');
    return promise;
  }

  /** What Ctrl+C does: takes back all that was typed and has not begun, or else interrupts what runs of its own, or else
   * forgets a form that was begun. Never touches what others evaluate. */
  async takeBack(): Promise<TakenBack> {
    const typed = this.#untaken();
    if (typed.length > 0) this.emit('changed');
    const own = this.#own;
    if (own && !own.held && this.#session.before(own) !== null) {
      await this.#session.cancel(own);
      return { took: 'waiting', text: [own.row.code, ...typed].join('\n') };
    }
    if (typed.length > 0) return { took: 'typed', text: typed.join('\n') };
    if (own && !own.held) {
      void this.#session.cancel(own);
      return { took: 'running', text: null };
    }
    this.cancel();
    return { took: 'nothing', text: null };
  }

  /** Its evaluation that has no outcome yet. */
  get #own(): RunningEvaluation | null {
    const latest = this.#latest;
    return latest && this.#session.pending(latest.id) === latest ? latest : null;
  }

  /** Forgets a form that was begun, as after Ctrl+C at the prompt. */
  cancel(): void {
    this.#pending = '';
    this.#asking = null;
    this.#prompt();
  }

  /** Answers what was typed and nothing has taken. */
  end(): string {
    this.#events.off('output', this.#onOutput);
    this.#events.off('changed', this.#onChanged);
    this.emit('waiting');
    this.removeAllListeners();
    return [this.#pending.trim(), ...this.#untaken()].filter(Boolean).join('\n');
  }

  /** Lets go of what was typed and has not been read, and answers it, the oldest first. */
  #untaken(): string[] {
    const untaken = this.#typed.splice(0);
    for (const each of untaken) each.taken();
    return untaken.map(({ text }) => text);
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    // A session that has ended takes nothing more.
    while (this.#session.state !== 'ended') {
      const next = this.#typed.shift();
      if (!next) break;
      await this.#read(next);
      next.taken();
    }
    this.#working = false;
    this.emit('waiting');
    this.emit('changed');
  }

  /** The oldest line typed and not yet taken, or the next one: for code that reads, as at a terminal. */
  readonly #nextLine = (): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#reader = resolve;
    if (!this.#answerReader()) this.emit('waiting');
    this.emit('changed');
    return promise;
  };

  /** Whether code that reads has got a line. */
  #answerReader(): boolean {
    const read = this.#reader;
    const line = read && this.#typed.shift();
    if (!line) return false;
    this.#reader = null;
    this.#transcript.add(`${line.text}\n`);
    read(line.text);
    line.taken();
    this.emit('changed');
    return true;
  }

  async #read({ text, level }: Typed): Promise<void> {
    this.#level = level ?? this.#level;
    this.#transcript.add(`${text}\n`);
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
    const held = this.#level > 0 ? this.#session.held?.held : undefined;
    if (held && HELP.test(code)) return helpText(held);
    const restarts = /^\d+$/.test(code) ? held?.restarts : undefined;
    if (restarts) return this.#choose(restarts, Number(code));
    return this.#evaluate(code);
  }

  async #evaluate(code: string): Promise<string> {
    const offersInspector = this.#session.offers('inspector');
    const inspector = code.includes('#v') && offersInspector ? this.#session.ability('inspector') : null;
    const evaluation = this.#session.evaluate({
      client: this.#client,
      kind: 'listener',
      code: withKeptValues(code, this.#dialect, inspector),
      input: this.#nextLine,
      ...(offersInspector ? { keepValues: true } : {}),
      ...(this.#level > 0 ? { level: this.#level } : {}),
      ...(this.#session.offers('debugger') ? { onError: 'debug' } : {}),
    });
    return this.#follow(evaluation);
  }

  /** A restart that asks for one value gets what is typed next. */
  async #choose(restarts: Condition['restarts'], index: number): Promise<string> {
    const restart = restarts[index];
    if (!restart) return noRestartText(index, restarts.length);
    const [asked, ...more] = restart.arguments;
    if (asked === undefined) return this.#takeRestart(index);
    if (asked === 'value' && more.length === 0) {
      this.#asking = index;
      return '';
    }
    return askingText(restart);
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
    this.emit('changed');
    const closed = await evaluation.atRest;
    this.#reader = null;
    this.#freshLine();
    if (closed) this.#followed.delete(evaluation.id);
    if (closed) return resultText(closed, held);
    return evaluation.held ? heldText(evaluation.held) : '';
  }

  /** Whoever types draws what is read. */
  readonly #onOutput = ({ evaluation, stream, text }: OutputEvent): void => {
    if (stream !== 'input' && this.#followed.has(evaluation)) this.#show(text);
  };

  /** What others do may hold the session, or let it go. */
  readonly #onChanged = ({ id }: SessionView): void => {
    if (id === this.#session.id) this.emit('changed');
  };

  /** What is typed next is meant for the level that the prompt says, whatever happens meanwhile. */
  #prompt(): void {
    this.#level = this.#session.level;
    const { image } = this.#session;
    this.#show(this.#asking === null ? image.prompt(this.#level) : 'Enter a form for the value: ');
  }

  /** Begins a new line unless it is at the start of one already, as CLHS `fresh-line` does. */
  #freshLine(): void {
    if (!this.#transcript.isFresh) this.#show('\n');
  }

  #show(text: string): void {
    if (text === '') return;
    this.#transcript.add(text);
    this.emit('output', text);
  }
}
