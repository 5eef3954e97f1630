/**
 * The wire to the agent in an image: one JSON object a line, both ways. Code in the image can write to it
 * as well, so what does not fit the schema is told to the log and otherwise ignored; a wire with much of it is given up.
 */
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { StepWay } from '../../contract/debugger';
import { Condition, FormResult, Stream, Warning } from '../../contract/model';
import { LoadFailure, Replay, TestRun } from '../../contract/report';
import { boundedJson, JsonTooLarge } from '../../host/bounded-json';
import { type Line, LineReader } from '../../host/line-reader';
import { NoMessage, WireReader } from '../../host/wire-reader';
import type { EvaluateRequest } from '../image';
import type { RestartChoice } from '../optional-groups';
import { SentCost, SentSamples } from './samples';

/** The version of requests and events, as `hello` names it. */
export const PROTOCOL = 1;

const id = z.number().int();

/** Characters dropped at once that are believed; an image that tells more has gone wrong. */
const MOST_DROPPED = 1e12;

/** Why a query has no answer: a code of ours, if the agent wrote it, and a sentence. */
const QueryError = z.object({ code: z.string(), message: z.string() });

/**
 * What an image may say. `id` is that of the evaluation, in `reply`, `answer` and `debugged` that of the request. The
 * octets of a tunnel are the characters of a string.
 */
export const WireEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('hello'),
    /** Another one than ours when a checkpoint of another version of the harbor speaks. */
    protocol: z.number().int(),
    version: z.string(),
    package: z.string(),
    ownSyntax: z.boolean().optional(),
  }),
  z.object({
    event: z.literal('output'),
    id: id.nullable(),
    stream: Stream.extract(['stdout', 'stderr']),
    text: z.string(),
    dropped: z.number().int().min(1).max(MOST_DROPPED).optional(),
  }),
  z.object({ event: z.literal('limited'), id }),
  FormResult.omit({ lengths: true }).extend({ event: z.literal('form'), id }),
  Warning.extend({ event: z.literal('warning'), id }),
  z.object({ event: z.literal('loaded'), id, systems: z.array(z.string()) }),
  LoadFailure.extend({ event: z.literal('failure'), id }),
  TestRun.extend({ event: z.literal('tests'), id }),
  Replay.extend({ event: z.literal('replayed'), id }),
  SentSamples.extend({ event: z.literal('profile'), id }),
  z.object({ event: z.literal('input-wanted'), id }),
  z.object({
    event: z.literal('done'),
    id,
    outcome: z.enum(['ok', 'error', 'interrupted', 'refused']),
    package: z.string(),
    ownSyntax: z.boolean().optional(),
    condition: Condition.nullable(),
    cost: SentCost.nullable(),
    notes: z.array(z.string()),
  }),
  z.object({ event: z.literal('held'), id, package: z.string(), condition: Condition }),
  z.object({ event: z.literal('left'), id, level: z.number().int() }),
  z.object({ event: z.literal('debugged'), id, value: z.unknown(), error: z.string().nullable() }),
  z.object({ event: z.literal('reply'), id, done: z.boolean() }),
  z.object({ event: z.literal('answer'), id, value: z.unknown().optional(), error: QueryError.optional() }),
  z.object({ event: z.literal('forked'), id, pid: id }),
  z.object({ event: z.literal('refused'), id, code: z.string(), message: z.string() }),
  z.object({
    event: z.literal('relayed'),
    fork: id,
    stream: z.enum(['wire', 'stdout', 'stderr']),
    /** Bytes as characters of the same codes (Latin-1). */
    data: z.string(),
  }),
  z.object({ event: z.literal('fork-ended'), fork: id, code: id.nullable(), signal: id.nullable() }),
  z.object({ event: z.literal('tunnel-octets'), tunnel: id, octets: z.string() }),
  z.object({ event: z.literal('tunnel-taken'), tunnel: id, count: z.number().int().positive() }),
  z.object({ event: z.literal('tunnel-closed'), tunnel: id }),
  z.object({ event: z.literal('fault'), message: z.string() }),
]);
export type WireEvent = z.infer<typeof WireEvent>;

/** What the harbor asks of an image: resources/lisp has each under DEFINE-OPERATION. */
export type WireRequest =
  | ({ op: 'evaluate' } & Omit<EvaluateRequest, 'input'> & {
        /** Whether `input-wanted` is answered with `input`. */
        answersInput?: boolean;
      })
  | { op: 'input'; evaluation: number; text: string | null }
  | { op: 'interrupt'; id: number; evaluation: number }
  | { op: 'query'; id: number; name: string; arguments: Record<string, unknown> }
  | { op: 'abandon'; id: number }
  | { op: 'tunnel-open' | 'tunnel-close'; tunnel: number }
  | { op: 'tunnel-octets'; tunnel: number; octets: string }
  | { op: 'tunnel-taken'; tunnel: number; count: number }
  | ({ op: 'debug'; id: number } & DebuggerQuestion)
  | ({ id: number } & ForkPurpose)
  /** `data` holds bytes as `relayed` does; null is the end. */
  | { op: 'relay'; fork: number; data: string | null }
  | { op: 'signal'; fork: number; signal: number };

/** What a copy of the image's process is made for; its number is the id of the request. */
export type ForkPurpose = { op: 'save'; file: string } | { op: 'branch' };

/** What is asked of the thread that is held; answered in resources/lisp/sbcl/questions.lisp. */
export type DebuggerQuestion =
  | { action: 'show'; offset: number; limit: number }
  | { action: 'frame'; frame: number }
  | ({ action: 'restart' } & RestartChoice)
  | { action: 'step'; step: StepWay }
  | { action: 'abort'; level: number };

/** Bytes of one line. The agent's longest has four million characters of values, and the code that had them. */
const LONGEST_LINE = 40 * 1024 * 1024;

/** Characters of a line that cannot be read which the log shows. */
const SHOWN = 200;

export interface WireListener {
  event(event: WireEvent): void;
  /** Something arrived that is no event; `problem` is for the log. */
  malformed(problem: string): void;
  /** Too much of that arrived, or more than any event is: nothing is read any more. `reason` goes after "it". */
  lost(reason: string): void;
}

export class Wire {
  readonly #stream: Duplex;
  readonly #listener: WireListener;
  readonly #reader: WireReader<Line>;

  constructor(stream: Duplex, listener: WireListener) {
    this.#stream = stream;
    this.#listener = listener;
    this.#reader = new WireReader(stream, new LineReader(LONGEST_LINE), {
      message: (line) => this.#receive(line),
      nonsense: (problem) => listener.malformed(problem),
      lost: (reason) => listener.lost(reason),
    });
  }

  /** Waits until all is read that the image had written by now. */
  caughtUp(): Promise<void> {
    return this.#reader.caughtUp();
  }

  send(request: WireRequest): void {
    if (this.#stream.writable) this.#stream.write(`${JSON.stringify(request)}\n`);
  }

  /** The agent ends its process when it sees the end. */
  end(): void {
    this.#stream.end();
  }

  #receive(line: Line): void {
    if ('tooLong' in line) throw new Error(`it wrote a line of more than ${LONGEST_LINE} bytes`);
    const { success, data } = WireEvent.safeParse(parsed(line.text));
    if (!success) throw new NoMessage(line.text.slice(0, SHOWN));
    this.#listener.event(data);
  }
}

/** @throws Error for a line that would take long to parse */
function parsed(text: string): unknown {
  try {
    return boundedJson(text);
  } catch (error) {
    if (error instanceof JsonTooLarge)
      throw new Error(`a line that it wrote cannot be an event: ${error.message}`);
    return undefined;
  }
}
