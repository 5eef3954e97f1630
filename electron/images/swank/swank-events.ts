/** What a Swank server says, as data (the heads in `slime-dispatch-event` of slime.el; dispatch-event in swank.lisp). */
import type { Frame } from '../../contract/model';
import { elementsOf, isNil, isSymbol, LispSymbol, propertyOf, type Sexp, textOf, textsOf } from './sexp';

/** A thread that waits in the debugger. `level` counts those of that thread, `requests` are its own, innermost first. */
export interface Debug {
  thread: number;
  level: number;
  type: string;
  message: string;
  restarts: { name: string; description: string }[];
  frames: SwankFrame[];
  requests: number[];
}

export interface SwankFrame extends Frame {
  restartable: boolean;
}

export type SwankEvent =
  | { event: 'return'; id: number; value: Sexp }
  | { event: 'abort'; id: number; reason: string }
  /** `awaited`: the thread that goes on once it hears that the text was taken; null where none waits. */
  | { event: 'output'; text: string; target: Sexp; awaited: Sexp | null }
  /** From our own code in the image, resources/swank. */
  | { event: 'told'; kind: string; facts: Sexp[] }
  | { event: 'debug'; debug: Debug }
  | { event: 'debug-return'; thread: number; level: number }
  | { event: 'debug-condition'; message: string }
  | { event: 'read-string'; thread: number; tag: number }
  | { event: 'read-aborted'; tag: number }
  | { event: 'ping'; thread: number; tag: number }
  /** Something is asked of the editor that we are not; `answer` lets the code go on. */
  | { event: 'asked'; what: string; thread: number; tag: number; answer: Sexp }
  /** A request could not be read or has no thread. */
  | { event: 'unreadable'; packet: string; reason: string }
  | { event: 'invalid'; id: number; reason: string }
  | { event: 'other' };

/** @throws Error for what is no message of the protocol; one that we have no use for is `other` */
export function eventOf(message: Sexp): SwankEvent {
  const [head, ...rest] = elementsOf(message);
  if (!(head instanceof LispSymbol)) throw new Error('a message that does not begin with its kind');
  const [first, second, third] = rest;
  switch (head.name) {
    case ':return':
      return returned(first, numberIn(second));
    case ':write-string':
      return { event: 'output', text: textIn(first), target: second ?? [], awaited: waitingThread(third) };
    case ':channel-send':
      return isSymbol(first, ':lisp-harbor') ? told(second) : { event: 'other' };
    case ':debug':
      return { event: 'debug', debug: debugOf(rest) };
    case ':debug-return':
      return { event: 'debug-return', thread: numberIn(first), level: numberIn(second) };
    case ':debug-condition':
      return { event: 'debug-condition', message: textIn(second) };
    case ':read-string':
      return { event: 'read-string', thread: numberIn(first), tag: numberIn(second) };
    case ':read-aborted':
      return { event: 'read-aborted', tag: numberIn(second) };
    case ':ping':
      return { event: 'ping', thread: numberIn(first), tag: numberIn(second) };
    case ':reader-error':
      return { event: 'unreadable', packet: textIn(first), reason: textIn(second) };
    case ':invalid-rpc':
      return { event: 'invalid', id: numberIn(first), reason: textIn(second) };
    default:
      return asked(head.name, first, second, third);
  }
}

/** What each question to the editor is answered with, so that nothing waits for ever. */
const ANSWERS: ReadonlyMap<string, Sexp> = new Map(
  Object.entries({
    ':y-or-n-p': [],
    ':read-from-minibuffer': [],
    ':eval': [new LispSymbol(':abort')],
    ':ed-rpc': [new LispSymbol(':abort')],
  }),
);

function asked(
  name: string,
  thread: Sexp | undefined,
  tag: Sexp | undefined,
  what: Sexp | undefined,
): SwankEvent {
  const answer = ANSWERS.get(name);
  if (answer === undefined) return { event: 'other' };
  const text = textOf(what) ?? name.slice(1);
  return { event: 'asked', what: text, thread: numberIn(thread), tag: numberIn(tag), answer };
}

/** SLIME since 2.28 writes no more before what it wrote was taken, and says which thread waits for that. */
function waitingThread(thread: Sexp | undefined): Sexp | null {
  return thread === undefined || isNil(thread) ? null : thread;
}

function returned(result: Sexp | undefined, id: number): SwankEvent {
  const [how, value] = elementsOf(result);
  if (isSymbol(how, ':ok')) return { event: 'return', id, value: value ?? [] };
  if (isSymbol(how, ':abort')) return { event: 'abort', id, reason: textOf(value) ?? '' };
  throw new Error('a request was answered with neither :ok nor :abort');
}

function told(message: Sexp | undefined): SwankEvent {
  const [kind, ...facts] = elementsOf(message);
  if (!(kind instanceof LispSymbol)) throw new Error('our own code said something without its kind');
  return { event: 'told', kind: kind.name, facts };
}

function debugOf([thread, level, condition, restarts, frames, requests]: Sexp[]): Debug {
  const [message, type] = textsOf(condition);
  return {
    thread: numberIn(thread),
    level: numberIn(level),
    message: message ?? '',
    type: typeIn(type ?? ''),
    restarts: elementsOf(restarts).map((restart) => {
      const [name = '', description = ''] = textsOf(restart);
      // A star marks the restart that leaves the debugger.
      return { name: name.replace(/^\*/, ''), description };
    }),
    frames: framesOf(frames),
    requests: elementsOf(requests).filter((id) => typeof id === 'number'),
  };
}

/** The type in `[Condition of type SIMPLE-ERROR]`; the whole text where it reads otherwise. */
function typeIn(text: string): string {
  const mark = '[Condition of type ';
  const [start, end] = [text.indexOf(mark), text.lastIndexOf(']')];
  return start < 0 || end < start ? text : text.slice(start + mark.length, end);
}

/** Of the answer to `swank:backtrace`. */
export function framesOf(frames: Sexp | undefined): SwankFrame[] {
  return elementsOf(frames).map((frame) => {
    const [index, call, properties] = elementsOf(frame);
    const restartable = !isNil(propertyOf(properties, 'restartable'));
    return { index: numberIn(index), call: textIn(call), restartable };
  });
}

function numberIn(value: Sexp | undefined): number {
  if (typeof value === 'number') return value;
  throw new Error('a number is missing from a message');
}

function textIn(value: Sexp | undefined): string {
  if (typeof value === 'string') return value;
  throw new Error('a text is missing from a message');
}
