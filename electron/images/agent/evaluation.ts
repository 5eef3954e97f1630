/**
 * One evaluation while it runs in the image: collects events from the wire until its outcome is known, and
 * interrupts it.
 */

import type { Condition, FormResult, Warning } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import type { Report } from '../../contract/report';
import type { ImageOutcome, InputSource, InterruptStep, OutputSink } from '../image';
import { type ActivitySource, inTime } from '../image-process';
import type { LevelWatcher } from '../optional-groups';
import { type EarlyEnd, TestProgress } from '../test-progress';
import { costOf, profileOf, type WireEvent, type WireRequest } from './wire';

/**
 * Maximum characters of the lines with values, warnings and report of an evaluation. The agent itself stops at four
 * million characters of values, each of which takes six at most as an escape.
 */
const MAX_CHARACTERS = 32_000_000;

/** Maximum number of forms, warnings and report items per evaluation. */
const MAX_ITEMS = 100_000;

type EventNamed<Name extends WireEvent['event']> = Extract<WireEvent, { event: Name }>;

/** Events that become part of the outcome. */
type OutcomeEvent = EventNamed<
  'form' | 'warning' | 'loaded' | 'failure' | 'tests' | 'testing' | 'replayed' | 'profile'
>;

/** Events of an evaluation that is running or suspended. */
export type EvaluationEvent = OutcomeEvent | EventNamed<'held' | 'left' | 'limited' | 'done'>;

interface EvaluationOptions {
  /** Whether the profiler samples it. */
  sampled?: boolean;
  /** Notified when it is suspended. */
  levels?: LevelWatcher | undefined;
  input?: InputSource | undefined;
  tests?: TestProgress | undefined;
}

export class AgentEvaluation {
  readonly id: number;
  readonly sink: OutputSink;
  /** Provides standard input; absent if there is none. */
  readonly input: InputSource | undefined;
  readonly settled: Promise<ImageOutcome>;
  readonly #settle: (outcome: ImageOutcome) => void;
  readonly #levels: LevelWatcher | undefined;
  readonly #sampled: boolean;
  readonly #forms: FormResult[] = [];
  readonly #warnings: Warning[] = [];
  readonly #report: Report = { loaded: [], failures: [], runs: [] };
  /** Absent before the first test, unless somebody follows it. */
  #tests: TestProgress | undefined;
  #characters = 0;
  #items = 0;
  #lost = 0;
  #limited = false;

  constructor(
    id: number,
    sink: OutputSink,
    { levels, input, tests, sampled = false }: EvaluationOptions = {},
  ) {
    this.id = id;
    this.sink = sink;
    this.input = input;
    this.#levels = levels;
    this.#sampled = sampled;
    this.#tests = tests;
    const { promise, resolve } = Promise.withResolvers<ImageOutcome>();
    this.settled = promise;
    this.#settle = resolve;
  }

  /** @param length of the event on the wire, in characters */
  receive(event: EvaluationEvent, length: number): void {
    if (event.event === 'done') this.#done(event);
    else if (event.event === 'held') this.#suspend(event);
    else if (event.event === 'left') this.#levels?.exited();
    else if (event.event === 'limited') this.#limited = true;
    else if (this.#hasRoomFor(length)) this.#keep(event);
    else this.#lost += 1;
  }

  /** Called when the image has ended; what arrived before is part of the outcome. */
  crashed(packageName: string, notes: readonly Note[]): void {
    const lost = [
      ...(this.#sampled
        ? [note('samples_lost', 'The samples of the profiler are lost with the image.')]
        : []),
      ...(this.#limited
        ? [
            note(
              'output_cut',
              'It had printed more than its output limit; the end of that output was lost with the image.',
            ),
          ]
        : []),
    ];
    const collected = this.#collected([...notes, ...lost], { kind: 'image lost' });
    this.#settle({ ...collected, outcome: 'crashed', package: packageName, condition: null });
  }

  #keep(event: OutcomeEvent): void {
    const { loaded, failures, runs } = this.#report;
    if (event.event === 'loaded') loaded.push(...event.systems);
    else if (event.event === 'form') this.#forms.push(itemOf(event));
    else if (event.event === 'warning') this.#warnings.push(itemOf(event));
    else if (event.event === 'failure') failures.push(itemOf(event));
    else if (event.event === 'testing') {
      this.#tests ??= new TestProgress();
      this.#tests.begin(itemOf(event));
    } else if (event.event === 'tests') {
      this.#tests?.finish();
      runs.push(itemOf(event));
    } else if (event.event === 'profile') this.#report.profile = profileOf(itemOf(event));
    else this.#report.replay = itemOf(event);
  }

  #suspend({ package: packageName, condition }: EventNamed<'held'>): void {
    const [forms, warnings] = [[...this.#forms], [...this.#warnings]];
    this.#levels?.suspended({ package: packageName, condition, forms, warnings });
  }

  #done({ outcome, package: packageName, condition, cost, notes }: EventNamed<'done'>): void {
    const ended = { outcome, package: packageName, condition, ...(cost ? { cost: costOf(cost) } : {}) };
    const early = earlyEndOf(outcome, condition);
    this.#settle({ ...this.#collected(notes, early), ...ended });
  }

  /** @param early how a test run ended, if one still runs */
  #collected(
    notes: readonly Note[],
    early: EarlyEnd,
  ): Pick<ImageOutcome, 'forms' | 'warnings' | 'notes' | 'report'> {
    const lost =
      this.#lost > 0
        ? [
            note(
              'items_dropped',
              `${this.#lost} forms, warnings or failures were dropped: there were too many.`,
            ),
          ]
        : [];
    const { loaded, failures, runs, profile, replay } = this.#report;
    const unfinished = this.#tests?.endedEarly(early);
    if (unfinished) runs.push(unfinished);
    const lists = [loaded, failures, runs];
    const hasReport = profile !== undefined || replay !== undefined || lists.some((part) => part.length > 0);
    return {
      forms: this.#forms,
      warnings: this.#warnings,
      notes: [...notes, ...lost],
      ...(hasReport ? { report: this.#report } : {}),
    };
  }

  #hasRoomFor(length: number): boolean {
    this.#characters += length;
    this.#items += 1;
    return this.#characters <= MAX_CHARACTERS && this.#items <= MAX_ITEMS;
  }
}

function earlyEndOf(outcome: EventNamed<'done'>['outcome'], condition: Condition | null): EarlyEnd {
  if (outcome !== 'error' || condition === null) return { kind: 'stopped' };
  return { kind: 'error', message: `${condition.type}: ${condition.message}` };
}

/** Returns the event without its routing fields. */
function itemOf<E extends EvaluationEvent>({ event: _event, id: _id, ...item }: E): Omit<E, 'event' | 'id'> {
  return item;
}

/**
 * Milliseconds of progress time without an answer after which an image counts as stuck. A healthy one answers
 * in one, except during garbage collection, which takes seconds for a large heap.
 */
const ANSWER_MS = 5_000;

/** Milliseconds between two interrupts of one step, and their number. */
const INTERRUPTS = {
  /** Repeated only while the evaluation has not started in the image. */
  cooperative: { pause: 50, count: 20 },
  /** Each one ends the cleanup form that the previous one started. */
  insistent: { pause: 200, count: 10 },
} as const;

/** The image's answer: `too-early` if the evaluation has not started, `none` if the image is stuck. */
type Answer = 'delivered' | 'too-early' | 'none';

export class AgentInterrupts {
  readonly #image: ActivitySource;
  readonly #send: (request: WireRequest) => void;
  readonly #replies = new Map<number, (done: boolean) => void>();
  #requests = 0;

  constructor(image: ActivitySource, send: (request: WireRequest) => void) {
    this.#image = image;
    this.#send = send;
  }

  /** Called when the image has answered request `id`. */
  answered(id: number, done: boolean): void {
    this.#replies.get(id)?.(done);
  }

  /** Repeats interrupts until the image reports that one was delivered. See `Image.interrupt`. */
  async climb(evaluation: AgentEvaluation, step: InterruptStep): Promise<boolean> {
    const { pause, count } = INTERRUPTS[step];
    let over = false;
    const end = evaluation.settled.then(() => {
      over = true;
    });
    let delivered = false;
    for (let sent = 0; sent < count && !over; sent += 1) {
      const answer = await this.#request(evaluation);
      if (answer === 'none') return delivered;
      delivered ||= answer === 'delivered';
      if (delivered && step === 'cooperative') return true;
      await inTime(this.#image, pause, end);
    }
    return delivered;
  }

  /** Opens a debugger level where the evaluation is. Returns false if it does not run or does not answer. */
  async hold(evaluation: AgentEvaluation): Promise<boolean> {
    return (await this.#request(evaluation, 'break')) === 'delivered';
  }

  async #request(evaluation: AgentEvaluation, op: 'interrupt' | 'break' = 'interrupt'): Promise<Answer> {
    const id = ++this.#requests;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#replies.set(id, (done) => resolve(done ? 'delivered' : 'too-early'));
    this.#send({ op, id, evaluation: evaluation.id });
    const over = evaluation.settled.then(() => 'delivered' as const);
    const answered = Promise.race([promise, over]);
    const isAnswered = await inTime(this.#image, ANSWER_MS, answered);
    this.#replies.delete(id);
    return isAnswered ? answered : 'none';
  }
}
