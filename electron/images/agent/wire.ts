/**
 * The wire to the agent in an image: one JSON object per line in both directions. Code in the image can write
 * to it too, so invalid lines are logged and ignored; after too many of them the wire is given up.
 */

import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { StepMode } from '../../contract/debugger';
import type { EmacsProtocol } from '../../contract/harbor-status';
import { mention, ours } from '../../contract/mention';
import { Condition, FormResult, Stream, Warning } from '../../contract/model';
import { note } from '../../contract/note';
import {
  BegunTest,
  type Cost,
  LoadFailure,
  Replay,
  SampledFunction,
  SampledProfile,
  type SampleShare,
  TestRun,
} from '../../contract/report';
import { boundedJson, JsonTooLarge } from '../../host/json';
import { type Line, LineReader } from '../../host/line-reader';
import { NoMessage, WireReader } from '../../host/wire-reader';
import { type EvaluateRequest, reportedPackage } from '../image';
import type { RestartChoice } from '../optional-groups';

/** Costs as sent by resources/lisp/sbcl/metering.lisp, with times in microseconds. */
const SentCost = z.object({ real: z.int(), run: z.int(), gc: z.int(), bytes: z.int() });

/** Samples as sent by resources/lisp/sbcl/samples.lisp. */
const SentSamples = SampledProfile.extend({
  functions: z.array(SampledFunction.extend({ self: z.int(), total: z.int() })),
});

export function costOf({ real, run, gc, bytes }: z.infer<typeof SentCost>): Cost {
  return { realMs: real / 1000, runMs: run / 1000, gcMs: gc / 1000, bytes };
}

export function profileOf({ functions, ...sent }: z.infer<typeof SentSamples>): SampledProfile {
  const share = (samples: number): SampleShare => ({
    samples,
    percent: Math.round((1000 * samples) / Math.max(1, sent.samples)) / 10,
  });
  return {
    ...sent,
    functions: functions.map(({ name, self, total }) => ({ name, self: share(self), total: share(total) })),
  };
}

/** Protocol version, as in `hello`. */
export const PROTOCOL = 1;

const id = z.number().int();

/** Maximum plausible number of dropped characters. */
const MOST_DROPPED = 1e12;

/** How a caller continues after a note of a kind that only an image knows. */
const CONTINUING = {
  cpu_limit: mention`${ours('open_session', 'limits')} takes another limit.`,
  quicklisp: mention`${ours('load', 'system', 'fetch')} with its name and fetch: true fetches others, when a person agrees.`,
} as const;

/** A note as the agent sends it: a text, or with a kind that names how to continue. */
const SentNote = z.union([
  z.string().transform((text) => note('image', text)),
  z
    .object({ kind: z.enum(['cpu_limit', 'quicklisp']), text: z.string() })
    .transform(({ kind, text }) => note(kind, text, CONTINUING[kind])),
]);

/** Why a query failed: an error code, if the agent chose one, and a sentence. */
const QueryError = z.object({ code: z.string(), message: z.string() });

const PackageName = z.string().transform(reportedPackage);

/**
 * Events from an image. `id` refers to the evaluation; in `reply`, `answer` and `debugged` to the request.
 * Tunnel bytes are characters of a string.
 */
export const WireEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('hello'),
    /** Differs from ours for a checkpoint of another version of the app. */
    protocol: z.number().int(),
    version: z.string(),
    package: PackageName,
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
  BegunTest.extend({ event: z.literal('testing'), id }),
  Replay.extend({ event: z.literal('replayed'), id }),
  SentSamples.extend({ event: z.literal('profile'), id }),
  z.object({ event: z.literal('input-wanted'), id }),
  z.object({
    event: z.literal('done'),
    id,
    outcome: z.enum(['ok', 'error', 'interrupted', 'refused']),
    package: PackageName,
    ownSyntax: z.boolean().optional(),
    condition: Condition.nullable(),
    cost: SentCost.nullable(),
    notes: z.array(SentNote),
  }),
  z.object({ event: z.literal('held'), id, package: PackageName, condition: Condition }),
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
    /** Bytes as Latin-1 characters. */
    data: z.string(),
  }),
  z.object({ event: z.literal('fork-ended'), fork: id, code: id.nullable(), signal: id.nullable() }),
  z.object({ event: z.literal('tunnel-octets'), tunnel: id, octets: z.string() }),
  z.object({ event: z.literal('tunnel-taken'), tunnel: id, count: z.number().int().positive() }),
  z.object({ event: z.literal('tunnel-closed'), tunnel: id }),
  z.object({ event: z.literal('fault'), message: z.string() }),
]);
export type WireEvent = z.infer<typeof WireEvent>;

/** Requests to an image; see DEFINE-OPERATION in resources/lisp. */
export type WireRequest =
  | ({ op: 'evaluate' } & Omit<EvaluateRequest, 'input'> & {
        /** Whether `input-wanted` is answered with `input`. */
        answersInput?: boolean;
      })
  | { op: 'input'; evaluation: number; text: string | null }
  | { op: 'interrupt' | 'break'; id: number; evaluation: number }
  | { op: 'query'; id: number; name: string; arguments: Record<string, unknown> }
  | { op: 'abandon'; id: number }
  | { op: 'tunnel-open'; tunnel: number; server: EmacsProtocol }
  | { op: 'tunnel-close'; tunnel: number }
  | { op: 'tunnel-octets'; tunnel: number; octets: string }
  | { op: 'tunnel-taken'; tunnel: number; count: number }
  | { op: 'tunnel-evaluation'; tunnel: number; request: number; evaluation: number }
  | ({ op: 'debug'; id: number } & DebuggerQuestion)
  | ({ id: number } & ForkPurpose)
  /** `data` contains bytes as Latin-1 characters; null is the end of the stream. */
  | { op: 'relay'; fork: number; data: string | null }
  | { op: 'signal'; fork: number; signal: number };

/** The purpose of a fork; its number is the id of the request. */
export type ForkPurpose = { op: 'save'; file: string } | { op: 'branch' };

/** Queries to the suspended thread; answered in resources/lisp/sbcl/questions.lisp. */
export type DebuggerQuestion =
  | { action: 'show'; offset: number; limit: number }
  | { action: 'frame'; frame: number }
  | ({ action: 'restart' } & RestartChoice)
  | { action: 'step'; step: StepMode }
  | { action: 'abort'; level: number };

/** Maximum bytes of a line. The agent's longest has four million characters of values plus their code. */
const LONGEST_LINE = 40 * 1024 * 1024;

/** Maximum characters of an unreadable line in the log. */
const SHOWN = 200;

interface WireListener {
  /** @param length of its line, in characters */
  event(event: WireEvent, length: number): void;
  /** Called with an invalid line; `problem` is for the log. */
  malformed(problem: string): void;
  /**
   * Called when there were too many invalid lines, or one was too long; reading has stopped. `reason` goes
   * after "it".
   */
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

  /** Waits until everything written so far was read. */
  caughtUp(): Promise<void> {
    return this.#reader.caughtUp();
  }

  send(request: WireRequest): void {
    if (this.#stream.writable) this.#stream.write(`${JSON.stringify(request)}\n`);
  }

  /** Closes the stream; the agent exits when it sees the end. */
  end(): void {
    this.#stream.end();
  }

  #receive(line: Line): void {
    if ('tooLong' in line) throw new Error(`it wrote a line of more than ${LONGEST_LINE} bytes`);
    const { success, data } = WireEvent.safeParse(parsed(line.text));
    if (!success) throw new NoMessage(line.text.slice(0, SHOWN));
    this.#listener.event(data, line.text.length);
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
