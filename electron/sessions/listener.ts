/**
 * A REPL over a session: reads forms from a stream of lines, shows the engine's prompt and evaluates. The
 * window's REPL, telnet and the command line use it. It does not echo input. An unhandled condition suspends
 * the evaluation in the debugger; a number at the prompt then invokes a restart.
 */

import { EventEmitter } from 'node:events';
import { asFailure, HarborError } from '../contract/errors';
import type {
  CancelledInput,
  Condition,
  Evaluation,
  ExpectedInput,
  ListenerView,
  Restart,
} from '../contract/model';
import { isOfSandbox, noteComments, noteTexts } from '../contract/note';
import { addListeners } from '../host/listeners';
import type { Inspector } from '../images/optional-groups';
import { type Dialect, dialectOf } from '../source/dialect';
import { completeness, read } from '../source/reader';
import { walk } from '../source/syntax-tree';
import type { SessionEvents } from './journal';
import { restartArguments, restartCode } from './parsed-arguments';
import type { RunningEvaluation } from './session/pending-evaluations';
import type { Session } from './session/session';

/** Input that was not read yet. */
interface Typed {
  text: string;
  /** The debugger level for which it was typed; absent: the level of the prompt. */
  level: number | undefined;
  taken: () => void;
}

interface ListenerEvents {
  output: [text: string];
  /** It is waiting for input: at its prompt, for the rest of a form, or for a line that code reads. */
  waiting: [];
  /** Its view has changed. */
  changed: [];
}

export class Listener extends EventEmitter<ListenerEvents> {
  readonly #session: Session;
  readonly #removeListeners: () => void;
  readonly #client: string;
  readonly #dialect: Dialect;
  readonly #typed: Typed[] = [];
  readonly #transcript = new ListenerTranscript();
  #pending = '';
  /** Evaluations whose output is shown: its own, and those that it resumed. */
  readonly #followed = new Map<number, RunningEvaluation>();
  /** The debugger level of the prompt. */
  #level = 0;
  /** The restart that waits for its argument. */
  #restartAwaitingValue: number | null = null;
  #working = false;
  #reader: ((line: string) => void) | null = null;
  #latest: RunningEvaluation | null = null;

  constructor(session: Session, events: SessionEvents, client: string) {
    super();
    this.#session = session;
    this.#client = client;
    this.#dialect = dialectOf(session.identity.engine);
    this.#removeListeners = addListeners(events, (on) => {
      // The program in which input was typed draws it.
      on('output', ({ evaluation, stream, text }) => {
        if (stream !== 'input' && this.#followed.has(evaluation)) this.#show(text);
      });
      // Other clients may suspend or resume evaluations of the session.
      on('changed', ({ id }) => {
        if (id === session.id) this.emit('changed');
      });
    });
    this.#show(noteComments(session.sandboxNotes));
    this.#prompt();
  }

  /** Everything shown and typed so far; the prompt is last. */
  get transcript(): string {
    return this.#transcript.text;
  }

  /** The last followed evaluation, which may have ended. */
  get latest(): RunningEvaluation | null {
    return this.#latest;
  }

  /** The state that a window shows next to the text. */
  get view(): ListenerView {
    return {
      prompt: this.#session.image.prompt(this.#session.level).trim(),
      level: this.#session.level,
      expects: this.expects,
      typed: this.#typed.map(({ text }) => text),
      evaluation: this.#own?.id ?? null,
    };
  }

  /** How the next input will be used. */
  get expects(): ExpectedInput {
    if (this.#reader) return 'line';
    if (this.#pending !== '') return 'rest of a form';
    return this.#restartAwaitingValue === null ? 'form' : 'value';
  }

  /**
   * Adds one or more lines as one submission. Code that reads gets them first; otherwise they are evaluated
   * when they form complete expressions. Resolves when they are used; never rejects.
   */
  submit(text: string, level?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#typed.push({ text, level, taken: resolve });
    this.#answerReader();
    void this.#work();
    this.emit('changed');
    return promise;
  }

  /**
   * Implements Ctrl+C: removes queued input, or else interrupts its own running evaluation, or else discards
   * an incomplete form. Never affects evaluations of others.
   */
  async undo(): Promise<CancelledInput> {
    const typed = this.#untaken();
    if (typed.length > 0) this.emit('changed');
    const own = this.#own;
    if (own && !own.condition && this.#session.before(own) !== null) {
      await this.#session.cancel(own);
      return { took: 'waiting', text: [own.row.code, ...typed].join('\n') };
    }
    if (typed.length > 0) return { took: 'typed', text: typed.join('\n') };
    if (own && !own.condition) {
      void this.#session.cancel(own);
      return { took: 'running', text: null };
    }
    this.cancel();
    return { took: 'nothing', text: null };
  }

  /** Its own evaluation without an outcome. */
  get #own(): RunningEvaluation | null {
    const latest = this.#latest;
    return latest && this.#session.pending(latest.id) === latest ? latest : null;
  }

  /** Discards an incomplete form, as Ctrl+C at the prompt does. */
  cancel(): void {
    this.#pending = '';
    this.#restartAwaitingValue = null;
    this.#prompt();
  }

  /** Ends the listener and returns unused input. */
  end(): string {
    this.#removeListeners();
    this.emit('waiting');
    this.removeAllListeners();
    return [this.#pending.trim(), ...this.#untaken()].filter(Boolean).join('\n');
  }

  /** Removes and returns unread input, oldest first. */
  #untaken(): string[] {
    const untaken = this.#typed.splice(0);
    for (const each of untaken) each.taken();
    return untaken.map(({ text }) => text);
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    // An ended session takes no more input.
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

  /** Resolves with the oldest unread line, or the next one, for code that reads. */
  readonly #nextLine = (): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#reader = resolve;
    if (!this.#answerReader()) this.emit('waiting');
    this.emit('changed');
    return promise;
  };

  /** Gives the next line to code that reads. Returns whether it got one. */
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

  /** Evaluates `code`, or invokes the restart that it selects or completes. Returns the text to show. */
  async #perform(code: string): Promise<string> {
    const asking = this.#restartAwaitingValue;
    this.#restartAwaitingValue = null;
    if (asking !== null) return this.#takeRestart(asking, [code]);
    const suspended = this.#level > 0 ? this.#session.suspended?.condition : undefined;
    if (suspended && HELP.test(code)) return helpText(suspended);
    const restarts = /^\d+$/.test(code) ? suspended?.restarts : undefined;
    if (restarts) return this.#choose(restarts, Number(code));
    return this.#evaluate(code);
  }

  async #evaluate(code: string): Promise<string> {
    const offersInspector = this.#session.offers('inspector');
    const inspector = code.includes('#v') && offersInspector ? this.#session.ability('inspector') : null;
    const evaluation = this.#session.evaluate({
      client: this.#client,
      grant: null,
      kind: 'listener',
      code: withSavedValues(code, this.#dialect, inspector),
      input: this.#nextLine,
      ...(offersInspector ? { keepValues: true } : {}),
      ...(this.#level > 0 ? { level: this.#level } : {}),
      ...(this.#session.offers('debugger') ? { onError: 'debug' } : {}),
    });
    return this.#follow(evaluation);
  }

  /** Invokes the restart. If it needs one value, the next input is that value. */
  async #choose(restarts: Condition['restarts'], index: number): Promise<string> {
    const restart = restarts[index];
    if (!restart) return noRestartText(index, restarts.length);
    const [needed, ...more] = restart.arguments;
    if (needed === undefined) return this.#takeRestart(index);
    if (needed === 'value' && more.length === 0) {
      this.#restartAwaitingValue = index;
      return '';
    }
    return missingValuesText(restart);
  }

  async #takeRestart(restart: number, codes?: string[]): Promise<string> {
    const { suspended } = this.#session;
    if (suspended) this.#followed.set(suspended.id, suspended);
    const choice = {
      restart,
      ...(codes === undefined ? {} : { arguments: restartArguments(codes, this.#session) }),
    };
    const act = { client: this.#client, grant: null, tool: 'listener', code: restartCode(restart, codes) };
    const { evaluation: id } = await (await this.#session.debuggerFor(act)).restart(choice);
    if (id === undefined) return '';
    const evaluation = this.#followed.get(id) ?? this.#session.pending(id);
    return evaluation ? this.#follow(evaluation) : '';
  }

  /** Shows output of the evaluation until it ends or is suspended. Returns the text to show then. */
  async #follow(evaluation: RunningEvaluation): Promise<string> {
    const suspended = this.#followed.has(evaluation.id);
    this.#followed.set(evaluation.id, evaluation);
    this.#latest = evaluation;
    this.emit('changed');
    const closed = await evaluation.settledOrSuspended;
    this.#reader = null;
    this.#freshLine();
    if (closed) this.#followed.delete(evaluation.id);
    if (closed) return resultText(closed, suspended);
    return evaluation.condition ? suspendedText(evaluation.condition) : '';
  }

  /** Shows the prompt. The next input is for the level of this prompt, whatever happens meanwhile. */
  #prompt(): void {
    this.#level = this.#session.level;
    const { image } = this.#session;
    this.#show(
      this.#restartAwaitingValue === null ? image.prompt(this.#level) : 'Enter a form for the value: ',
    );
  }

  /** Starts a new line unless the output is at the start of one, as CLHS `fresh-line` does. */
  #freshLine(): void {
    if (!this.#transcript.isFresh) this.#show('\n');
  }

  #show(text: string): void {
    if (text === '') return;
    this.#transcript.add(text);
    this.emit('output', text);
  }
}

// The text of results and of the debugger, in the style of SBCL.

/**
 * Returns the values or the condition, and the notes. Warnings were part of the output. `held`: the condition
 * was already shown.
 */
function resultText(evaluation: Evaluation, suspended: boolean): string {
  const { forms, condition, outcome, notes } = evaluation;
  const lines = forms.flatMap(({ values }) => values);
  if (condition && !suspended) lines.push(`${condition.type}: ${condition.message}`);
  if (outcome === 'interrupted') lines.push('; Evaluation interrupted.');
  lines.push(...noteTexts(notes.filter((note) => !isOfSandbox(note))).map((text) => `; ${text}`));
  return asLines(lines);
}

/** Returns the condition, its numbered restarts and the innermost frame. */
function suspendedText({ type, message, restarts, frames }: Condition): string {
  const [frame] = frames;
  return asLines([
    `debugger invoked on a ${type}:`,
    ...message.split('\n').map((line) => `  ${line}`),
    '',
    'restarts (type a number to take one):',
    ...restarts.map(({ index, name, description }) => `  ${index}: [${name}] ${description}`),
    ...(frame ? ['', frame.call] : []),
  ]);
}

/** Requests for help at a debugger prompt. Evaluated as a form they would cause another error. */
const HELP = /^(?:help|:help|:h|\?)$/i;

/** Returns the help for a debugger prompt. */
function helpText(suspended: Condition): string {
  return `${suspendedText(suspended)}
${asLines([
  'Type the number of a restart to invoke it. Other forms are evaluated in the frame of the error, with its variables.',
  'The tab Debugger shows the stack with the locals of each frame.',
])}`;
}

function noRestartText(index: number, restarts: number): string {
  return `; There is no restart ${index}; there are ${restarts}, from 0.\n`;
}

/** The message for a restart that needs more than one value. */
function missingValuesText({ name, arguments: needed }: Restart): string {
  return `; ${name} needs ${needed.join(', ')}: pass them with (invoke-restart '${name} …).\n`;
}

function asLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

// The transcript of a listener, for windows that open it later.

/** Maximum characters of the transcript. */
const LIMIT = 500_000;

class ListenerTranscript {
  #text = '';
  #fresh = true;

  get text(): string {
    return this.#text;
  }

  /** Reports whether the text ends at the start of a line. */
  get isFresh(): boolean {
    return this.#fresh;
  }

  add(text: string): void {
    this.#text = (this.#text + text).slice(-LIMIT);
    this.#fresh = text.endsWith('\n');
  }
}

// References to earlier values at a prompt: `#v812` is the first value of evaluation 812, and `#v812.2` its
// second.

const REFERENCE = /^#v(\d{1,15})(?:\.(\d{1,6}))?$/;

/**
 * Returns the code with references replaced by code for their values. Strings and comments are unchanged.
 * @throws HarborError `not_supported` if the engine has no saved values
 */
function withSavedValues(
  code: string,
  dialect: Dialect,
  inspector: Pick<Inspector, 'retainedValueCode'> | null,
): string {
  if (!code.includes('#v')) return code;
  const parts: string[] = [];
  let at = 0;
  for (const { node } of walk(read(code, dialect).tree)) {
    if (node.kind !== 'token') continue;
    const [, evaluation, place = '1'] = REFERENCE.exec(code.slice(node.start, node.end)) ?? [];
    if (evaluation === undefined) continue;
    const named = inspector?.retainedValueCode?.(Number(evaluation), Number(place));
    if (named === undefined)
      throw new HarborError(
        'not_supported',
        `This engine does not save values: #v${evaluation} cannot be used here.`,
      );
    parts.push(code.slice(at, node.start), named);
    at = node.end;
  }
  return parts.join('') + code.slice(at);
}
