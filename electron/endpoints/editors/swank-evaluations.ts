/**
 * The evaluations in a conversation of SLIME with Swank, or SLY with Slynk, for the history. The server runs them in
 * threads of its own, so the session neither queues nor interrupts them. Requests of other kinds, which Emacs sends while its
 * user types, cost one comparison.
 */

import { lispString } from '../../contract/knowledge';
import type { Condition, EvaluationKind, FormResult, Stream } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import { read } from '../../source/reader';
import { stringRead } from '../../source/s-expression';
import { formsOf } from '../../source/syntax-tree';
import type { SlyRepl } from './sly-repls';
import { type Datum, Token } from './swank-data';

export interface RecordedRequest {
  kind: EvaluationKind;
  code: string;
  package: string;
}

/** An open row. */
export interface RecordedEvaluation {
  readonly id: number;
  output(stream: Stream, text: string): void;
  close(ended: {
    outcome: 'ok' | 'error' | 'interrupted';
    forms: FormResult[];
    condition: Condition | null;
    notes?: Note[];
  }): void;
}

interface Operator {
  kind: EvaluationKind;
  /** Returns the code in the request, from its first arguments. */
  code: (...strings: string[]) => string;
  /** Reads the value with which the request returned. */
  returned: (value: Datum | undefined, listened: readonly string[]) => Returned;
}

interface Returned {
  values: readonly string[];
  output?: string;
  /** Why the code did not compile. */
  problem?: string;
}

const itself = (code = '') => code;
const shown = (value: Datum | undefined): Returned => ({
  values: typeof value === 'string' ? [echoed(value)] : [],
});

const LISTENER: Operator = {
  kind: 'listener',
  code: itself,
  returned: (_value, listened) => ({ values: listened }),
};

/** Requests that evaluate, without their package. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  'interactive-eval': { kind: 'eval', code: itself, returned: shown },
  'interactive-eval-region': { kind: 'eval', code: itself, returned: shown },
  're-evaluate-defvar': { kind: 'eval', code: itself, returned: shown },
  'pprint-eval': { kind: 'eval', code: itself, returned: shown },
  'value-for-editing': { kind: 'eval', code: itself, returned: shown },
  'commit-edited-value': {
    kind: 'eval',
    code: (place, value) => `(setf ${place} ${value})`,
    returned: shown,
  },
  'eval-and-grab-output': {
    kind: 'eval',
    code: itself,
    returned: (value) => {
      const [output, values] = Array.isArray(value) ? value : [];
      return { ...shown(values), ...(typeof output === 'string' ? { output } : {}) };
    },
  },
  'listener-eval': LISTENER,
  'init-inspector': { kind: 'inspect', code: itself, returned: () => ({ values: [] }) },
  'eval-string-in-frame': { kind: 'frame', code: itself, returned: shown },
  'pprint-eval-string-in-frame': { kind: 'frame', code: itself, returned: shown },
  'compile-string-for-emacs': { kind: 'eval', code: itself, returned: compiled },
  'compile-file-for-emacs': {
    kind: 'load',
    code: (file = '') => `(load (compile-file ${lispString(file)}))`,
    returned: compiled,
  },
  'load-file': { kind: 'load', code: (file = '') => `(load ${lispString(file)})`, returned: shown },
};

/** SLY wraps what its inspector evaluates. */
const REQUEST =
  /^\(:emacs-rex \((?:slynk:eval-for-inspector \S+ \S+ (?:'|\(quote ))?(?:swank|slynk)(?:-repl)?:([a-z-]+)\)? /i;
/** The last part of a request: package, thread and id. */
const TAIL = /\) (nil|"(?:[^"\\]|\\.)*") \S+ \d+\)\s*$/i;
const TAIL_LENGTH = 1_000;
const STRING = /\s*("[^"\\]*(?:\\[\s\S][^"\\]*)*")/y;

/** Maximum characters of the values of a listener's evaluation in its row. */
const LONGEST_VALUES = 4 * 1024 * 1024;

interface Running {
  operator: Operator;
  code: string;
  row: RecordedEvaluation;
  /** Values that the listener printed, and the beginning of the next. */
  listened: string[];
  part: string;
  /** Characters of both. */
  length: number;
  /** The REPL of SLY that evaluates it. */
  repl: SlyRepl | null;
  condition: Condition | null;
}

export class SwankEvaluations {
  readonly #record: (request: RecordedRequest, id: number) => RecordedEvaluation;
  /** By the number of the request. Evaluations of SLY’s REPLs have none, and get negative ones. */
  readonly #running = new Map<number, Running>();
  #sent = 0;

  /** @param record opens the row of the request with this id, which is the negative number of a channel for SLY’s REPLs */
  constructor(record: (request: RecordedRequest, id: number) => RecordedEvaluation) {
    this.#record = record;
  }

  /** Called with a request of the editor before the image has it. */
  requested(text: string, id: number): void {
    const name = REQUEST.exec(text)?.[1]?.toLowerCase();
    const operator = name !== undefined && Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (!operator) return;
    const code = operator.code(...firstStrings(text));
    const row = this.#record({ kind: operator.kind, code, package: packageIn(text) }, id);
    this.#run(id, { operator, code, row, repl: null });
  }

  /** Called with code for a REPL of SLY before the image has it. */
  sent(repl: SlyRepl, code: string): void {
    const row = this.#record({ kind: 'listener', code, package: repl.package }, -(repl.channel ?? 0));
    this.#sent -= 1;
    this.#run(this.#sent, { operator: LISTENER, code, row, repl });
  }

  #run(id: number, begun: Pick<Running, 'operator' | 'code' | 'row' | 'repl'>): void {
    this.#running.set(id, { ...begun, listened: [], part: '', length: 0, condition: null });
  }

  /** Called with a message of the image. @param repl the REPL of SLY that it concerns */
  replied(kind: string, rest: readonly Datum[], repl: SlyRepl | null = null): void {
    if (this.#running.size === 0) return;
    if (kind === ':write-string') this.#printed(rest);
    else if (kind === ':debug') this.#suspended(rest, repl);
    else if (kind === ':return') this.#returned(rest);
    else if (kind === ':channel-send' && repl) this.#received(rest, repl);
  }

  /** The connection has ended. */
  end(): void {
    const unknown = note('connection_closed', 'The connection of the editor ended before the evaluation.');
    for (const { row, condition } of this.#running.values())
      row.close({ outcome: 'interrupted', forms: [], condition, notes: [unknown] });
    this.#running.clear();
  }

  #printed([text, target]: readonly Datum[]): void {
    const running = [...this.#running.values()].at(-1);
    if (!running || typeof text !== 'string') return;
    if (!(target instanceof Token && target.text === ':repl-result')) {
      running.row.output('stdout', text);
      return;
    }
    running.length += text.length;
    if (running.length > LONGEST_VALUES) return;
    running.part += text;
    if (!text.endsWith('\n')) return;
    const value = running.part.slice(0, -1);
    if (value !== '; No value') running.listened.push(value);
    running.part = '';
  }

  /** A message to the channel of a REPL. Only the innermost of its evaluations runs; the others are suspended. */
  #received([, message]: readonly Datum[], repl: SlyRepl): void {
    const [selector, argument] = Array.isArray(message) ? message : [];
    const name = selector instanceof Token ? selector.text : '';
    if (name === ':write-string' && argument !== undefined) this.#printed([argument]);
    const [id, running] = this.#innermost(repl) ?? [];
    if (!running || id === undefined) return;
    if (name !== ':write-values' && name !== ':evaluation-aborted') return;
    this.#running.delete(id);
    if (name === ':write-values')
      for (const value of Array.isArray(argument) ? argument : [])
        running.listened.push(textIn(Array.isArray(value) ? value[0] : undefined));
    this.#close(running, name === ':write-values' ? new Token('nil') : null);
  }

  #innermost(repl: SlyRepl): [number, Running] | undefined {
    return [...this.#running].findLast(([, running]) => running.repl === repl);
  }

  /** The debugger lists the requests that wait for it; an evaluation of a REPL of SLY is none. */
  #suspended([, level, condition, restarts, frames, waiting]: readonly Datum[], repl: SlyRepl | null): void {
    const found = conditionOf({ level, condition, restarts, frames });
    const ofRepl = repl && this.#innermost(repl)?.[1];
    if (ofRepl) ofRepl.condition ??= found;
    for (const id of Array.isArray(waiting) ? waiting : []) {
      const running = this.#running.get(numberOf(id));
      if (running) running.condition ??= found;
    }
  }

  #returned([result, id]: readonly Datum[]): void {
    const running = this.#running.get(numberOf(id));
    if (!running) return;
    this.#running.delete(numberOf(id));
    const [status, value] = Array.isArray(result) ? result : [];
    const isDone = status instanceof Token && status.text === ':ok';
    this.#close(running, isDone ? (value ?? new Token('nil')) : null);
  }

  /** @param value what the evaluation returned; null if it was aborted */
  #close({ operator, code, row, listened, condition }: Running, value: Datum | null): void {
    if (value === null) {
      const isError = condition !== null && !/interrupt|user.?break/i.test(condition.type);
      row.close({ outcome: isError ? 'error' : 'interrupted', forms: [], condition });
      return;
    }
    const { values, output, problem } = operator.returned(value, listened);
    if (output !== undefined && output !== '') row.output('stdout', output);
    const failed: Condition | null =
      problem === undefined
        ? null
        : { type: 'compilation failed', message: problem, level: 1, restarts: [], frames: [] };
    row.close({
      outcome: failed ? 'error' : 'ok',
      forms: failed ? [] : formsIn(code, values),
      condition: failed,
    });
  }
}

/** The code’s top-level forms; the last has the values. */
function formsIn(code: string, values: readonly string[]): FormResult[] {
  const codes = formsOf(read(code, 'common-lisp').tree).map(({ start, end }) => code.slice(start, end));
  const forms = codes.length === 0 ? [code] : codes;
  return forms.map((form, at) => ({ code: form, values: at === forms.length - 1 ? [...values] : [] }));
}

function firstStrings(text: string): string[] {
  const strings: string[] = [];
  STRING.lastIndex = REQUEST.exec(text)?.[0].length ?? 0;
  for (let found = STRING.exec(text); found && strings.length < 2; found = STRING.exec(text))
    strings.push(stringRead(found[1] ?? '""'));
  return strings;
}

/** Returns the name of the package in the request, as `find-package` takes it. */
function packageIn(text: string): string {
  const written = TAIL.exec(text.slice(-TAIL_LENGTH))?.[1] ?? 'nil';
  if (!written.startsWith('"')) return 'CL-USER';
  const name = stringRead(written).replace(/^#?:/, '');
  return name.startsWith('"') ? stringRead(name) : name.toUpperCase();
}

/** Removes what the echo area adds: the arrow, and an integer in other bases. */
function echoed(text: string): string {
  return text.replace(/^=> /, '').replace(/ \(\d+ bits?, #x[^)]*\)$/, '');
}

/** `(:compilation-result NOTES SUCCESS DURATION …)` */
function compiled(value: Datum | undefined): Returned {
  const [, notes, success] = Array.isArray(value) ? value : [];
  const isDone = success instanceof Token && success.text !== 'nil';
  const messages = (Array.isArray(notes) ? notes : []).flatMap((each) => {
    const at = Array.isArray(each)
      ? each.findIndex((key) => key instanceof Token && key.text === ':message')
      : -1;
    const message = Array.isArray(each) && at >= 0 ? each[at + 1] : undefined;
    return typeof message === 'string' ? [message] : [];
  });
  return isDone
    ? { values: [] }
    : { values: [], problem: messages.join('\n') || 'The code did not compile.' };
}

function conditionOf(
  debug: Record<'level' | 'condition' | 'restarts' | 'frames', Datum | undefined>,
): Condition {
  const [message, type] = Array.isArray(debug.condition) ? debug.condition : [];
  const restarts = Array.isArray(debug.restarts) ? debug.restarts : [];
  const frames = Array.isArray(debug.frames) ? debug.frames : [];
  return {
    type: /Condition of type ([^\]]+)\]/.exec(textIn(type))?.[1] ?? 'condition',
    message: textIn(message),
    level: numberOf(debug.level) || 1,
    restarts: restarts.map((restart, index) => {
      const [name, description] = Array.isArray(restart) ? restart : [];
      return { index, name: textIn(name), description: textIn(description), arguments: [] };
    }),
    frames: frames.map((frame, index) => ({
      index,
      call: textIn(Array.isArray(frame) ? frame[1] : undefined),
    })),
  };
}

function textIn(datum: Datum | undefined): string {
  return typeof datum === 'string' ? datum : '';
}

function numberOf(datum: Datum | undefined): number {
  return datum instanceof Token ? Number(datum.text) : Number.NaN;
}
