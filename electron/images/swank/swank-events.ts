/**
 * Parses messages of a Swank server into events (see `slime-dispatch-event` in slime.el and dispatch-event in
 * swank.lisp), and builds the requests that leave its debugger.
 */

import type { Condition, Frame, Restart } from '../../contract/model';
import {
  elementsOf,
  isNil,
  isSymbol,
  LispSymbol,
  lispCall,
  propertyOf,
  type Sexp,
  textOf,
  textsOf,
} from './sexp';

/**
 * A thread in the debugger. `level` counts the levels of that thread; `requests` are its own, innermost
 * first.
 */
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
  /** `waiting`: the thread that waits for an acknowledgement of the text; null if none does. */
  | { event: 'output'; text: string; target: Sexp; waiting: Sexp | null }
  /** A report of our own code in the image, resources/swank. */
  | { event: 'told'; kind: string; facts: Sexp[] }
  | { event: 'debug'; debug: Debug }
  | { event: 'debug-return'; thread: number; level: number }
  | { event: 'debug-condition'; message: string }
  | { event: 'read-string'; thread: number; tag: number }
  | { event: 'read-aborted'; tag: number }
  | { event: 'ping'; thread: number; tag: number }
  /** The code sent a request for an editor, and there is none; `answer` lets the code continue. */
  | { event: 'asked'; what: string; thread: number; tag: number; answer: Sexp }
  /** The server could not read a request, or found no thread for it. */
  | { event: 'unreadable'; packet: string; reason: string }
  | { event: 'invalid'; id: number; reason: string }
  | { event: 'other' };

/** Returns `other` for messages that are not used here. @throws Error for an invalid message */
export function eventOf(message: Sexp): SwankEvent {
  const [head, ...rest] = elementsOf(message);
  if (!(head instanceof LispSymbol)) throw new Error('a message without a kind');
  const [first, second, third] = rest;
  switch (head.name) {
    case ':return':
      return returned(first, numberIn(second));
    case ':write-string':
      return { event: 'output', text: textIn(first), target: second ?? [], waiting: waitingThread(third) };
    case ':channel-send':
      return isSymbol(first, ':lisp-harbor') ? ownMessage(second) : { event: 'other' };
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
      return editorRequest(head.name, first, second, third);
  }
}

/** Answers to requests for the editor, so that no thread waits forever. */
const ANSWERS: ReadonlyMap<string, Sexp> = new Map(
  Object.entries({
    ':y-or-n-p': [],
    ':read-from-minibuffer': [],
    ':eval': [new LispSymbol(':abort')],
    ':ed-rpc': [new LispSymbol(':abort')],
  }),
);

function editorRequest(
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

/** SLIME since 2.28 waits for an acknowledgement before it writes more, and names the waiting thread. */
function waitingThread(thread: Sexp | undefined): Sexp | null {
  return thread === undefined || isNil(thread) ? null : thread;
}

function returned(result: Sexp | undefined, id: number): SwankEvent {
  const [how, value] = elementsOf(result);
  if (isSymbol(how, ':ok')) return { event: 'return', id, value: value ?? [] };
  if (isSymbol(how, ':abort')) return { event: 'abort', id, reason: textOf(value) ?? '' };
  throw new Error('a request was answered with neither :ok nor :abort');
}

function ownMessage(message: Sexp | undefined): SwankEvent {
  const [kind, ...facts] = elementsOf(message);
  if (!(kind instanceof LispSymbol)) throw new Error('our own code sent a message without a kind');
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

/** Returns the type in `[Condition of type SIMPLE-ERROR]`; the whole text if it has another format. */
function typeIn(text: string): string {
  const mark = '[Condition of type ';
  const [start, end] = [text.indexOf(mark), text.lastIndexOf(']')];
  return start < 0 || end < start ? text : text.slice(start + mark.length, end);
}

/** Parses the answer to `swank:backtrace`. */
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

/** This frame and those below belong to Swank and to our own evaluation. */
const OURS = /LISP-HARBOR\.(?:SWANK|SLYNK)/i;

export function conditionOf(debug: Debug, level: number): Condition {
  const { type, message } = debug;
  return { type, message, level, restarts: restartsOf(debug), frames: ownFrames(debug.frames).map(frameOf) };
}

/** Swank does not report the parameters of a restart. */
export function restartsOf({ restarts }: Debug): Restart[] {
  return restarts.map(({ name, description }, index) => ({ index, name, description, arguments: [] }));
}

/** Returns the frames of the evaluated code, above our own. */
export function ownFrames(frames: readonly SwankFrame[]): SwankFrame[] {
  const ours = frames.findIndex(({ call }) => OURS.test(call));
  return ours === -1 ? [...frames] : frames.slice(0, ours);
}

export function frameOf({ index, call }: SwankFrame): Frame {
  return { index, call };
}

/**
 * Returns to where the innermost request was made and aborts it: to the enclosing level, or the top level.
 */
export function leaving(debug: Debug): Sexp {
  return returnToLevel(debug, debug.level - 1);
}

/**
 * Aborts everything inside `level` of the thread; 0 is the top level. Swank has no request for that, only the
 * restart that it creates for each level (sldb-loop in swank.lisp).
 */
export function returnToLevel(debug: Debug, level: number): Sexp {
  const restart = debug.restarts.findIndex(
    ({ description }) => description === `Return to sldb level ${level}.`,
  );
  if (level === 0 || restart === -1) return lispCall('swank:throw-to-toplevel');
  return invokeRestart(debug, restart);
}

/** Invokes a restart interactively: it prompts for values on standard input. */
export function invokeRestart({ level }: Debug, restart: number): Sexp {
  return lispCall('swank:invoke-nth-restart-for-emacs', level, restart);
}

/** Hands a foreign thread to the server's own debugger, as if we were not connected. */
export function returnToServerDebugger(): Sexp {
  return lispCall('swank:sldb-break-with-default-debugger', []);
}
