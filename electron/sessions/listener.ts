/**
 * Reads forms from a stream of lines, shows the engine's prompt and evaluates through the session: what the
 * window's REPL, telnet and the command line are streams for. It echoes nothing; whoever types draws the line.
 */
import { EventEmitter } from 'node:events';
import { asFailure } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import { completeness } from '../source/complete';
import { type Dialect, dialectOf } from '../source/dialect';
import type { OutputEvent, SessionEvents } from './events';
import type { Session } from './session';

/** Characters of transcript that a window which joins later is shown. */
const TRANSCRIPT_LIMIT = 500_000;

export class Listener extends EventEmitter<{ output: [text: string] }> {
  readonly #session: Session;
  readonly #events: SessionEvents;
  readonly #client: string;
  readonly #dialect: Dialect;
  #pending = '';
  #transcript = '';
  #evaluation: number | null = null;
  #queue: Promise<void> = Promise.resolve();
  #fresh = true;

  constructor(session: Session, events: SessionEvents, client: string) {
    super();
    this.#session = session;
    this.#events = events;
    this.#client = client;
    this.#dialect = dialectOf(session.identity.engine);
    events.on('output', this.#onOutput);
    this.#show(session.prompt);
  }

  /** Everything shown and typed so far, prompt last. */
  get transcript(): string {
    return this.#transcript;
  }

  /** Takes one or more lines; evaluates once they make up whole forms, one submission after another. Never rejects. */
  submit(text: string): Promise<void> {
    this.#queue = this.#queue.then(() => this.#read(text));
    return this.#queue;
  }

  /** Forgets a form that was begun, as after Ctrl+C at the prompt. */
  cancel(): void {
    this.#pending = '';
    this.#show(this.#session.prompt);
  }

  end(): void {
    this.#events.off('output', this.#onOutput);
    this.removeAllListeners();
  }

  async #read(text: string): Promise<void> {
    this.#remember(`${text}\n`);
    this.#pending += `${text}\n`;
    const state = completeness(this.#pending, this.#dialect);
    if (state === 'incomplete') return;
    const code = this.#pending;
    this.#pending = '';
    if (state === 'complete') this.#show(await this.#evaluate(code.trimEnd()));
    this.#show(this.#session.prompt);
  }

  /** What to show once it is over, or why it cannot be evaluated. */
  async #evaluate(code: string): Promise<string> {
    try {
      const evaluation = this.#session.evaluate({ client: this.#client, kind: 'listener', code });
      this.#evaluation = evaluation.id;
      const closed = await evaluation.settled;
      this.#freshLine();
      return resultText(closed);
    } catch (error) {
      return `; ${asFailure(error).message}\n`;
    } finally {
      this.#evaluation = null;
    }
  }

  readonly #onOutput = ({ evaluation, text }: OutputEvent): void => {
    if (evaluation === this.#evaluation) this.#show(text);
  };

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

/** What a listener prints after an evaluation: warnings, values or the condition, and the notes. */
function resultText({ warnings, forms, condition, outcome, notes }: Evaluation): string {
  const lines = warnings.map(({ severity, message }) => `; ${severity.toUpperCase()}: ${message}`);
  lines.push(...forms.flatMap(({ values }) => values));
  if (condition) lines.push(`${condition.type}: ${condition.message}`);
  if (outcome === 'interrupted') lines.push('; Evaluation interrupted.');
  lines.push(...notes.filter((note) => !note.startsWith('not sandboxed')).map((note) => `; ${note}`));
  return lines.map((line) => `${line}\n`).join('');
}
