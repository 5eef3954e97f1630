/** One evaluation while it runs in the image: collects what comes over the wire until its outcome is known. */
import type { FormResult, Warning } from '../../contract/model';
import type { Report } from '../../contract/report';
import type { ImageOutcome, InputSource, OutputSink } from '../image';
import type { LevelWatcher } from '../optional-groups';
import { costOf, profileOf } from './samples';
import type { WireEvent } from './wire';

/** Characters of values, warnings and the report kept of one evaluation; the agent itself stops at a quarter of it. */
const KEPT_CHARACTERS = 16_000_000;

/** Forms, warnings and parts of the report kept of one evaluation. */
const KEPT_ITEMS = 100_000;

type EventNamed<Name extends WireEvent['event']> = Extract<WireEvent, { event: Name }>;

/** What the image says of an evaluation while it runs, collected for its outcome. */
type OutcomeEvent = EventNamed<'form' | 'warning' | 'loaded' | 'failure' | 'tests' | 'replayed' | 'profile'>;

/** What the image says of an evaluation that runs or is held. */
export type EvaluationEvent = OutcomeEvent | EventNamed<'held' | 'left' | 'limited' | 'done'>;

export interface EvaluationOptions {
  /** Whether it is sampled. */
  sampled?: boolean;
  /** Who hears when it is held. */
  levels?: LevelWatcher | undefined;
  input?: InputSource | undefined;
}

export class AgentEvaluation {
  readonly id: number;
  readonly sink: OutputSink;
  /** Who answers when the code reads; absent where nobody does. */
  readonly input: InputSource | undefined;
  readonly settled: Promise<ImageOutcome>;
  readonly #settle: (outcome: ImageOutcome) => void;
  readonly #levels: LevelWatcher | undefined;
  readonly #sampled: boolean;
  readonly #forms: FormResult[] = [];
  readonly #warnings: Warning[] = [];
  readonly #report: Report = { loaded: [], failures: [], runs: [] };
  #characters = 0;
  #items = 0;
  #lost = 0;
  #limited = false;

  constructor(id: number, sink: OutputSink, { levels, input, sampled = false }: EvaluationOptions = {}) {
    this.id = id;
    this.sink = sink;
    this.input = input;
    this.#levels = levels;
    this.#sampled = sampled;
    const { promise, resolve } = Promise.withResolvers<ImageOutcome>();
    this.settled = promise;
    this.#settle = resolve;
  }

  receive(event: EvaluationEvent): void {
    if (event.event === 'done') this.#done(event);
    else if (event.event === 'held') this.#held(event);
    else if (event.event === 'left') this.#levels?.left();
    else if (event.event === 'limited') this.#limited = true;
    else if (this.#hasRoomFor(event)) this.#keep(event);
    else this.#lost += 1;
  }

  /** The image is gone; what had arrived by then is kept. */
  crashed(packageName: string, notes: string[]): void {
    const lost = [
      ...(this.#sampled ? ['The samples of the profiler are lost with the image.'] : []),
      ...(this.#limited
        ? ['It had printed more than its output limit allows; the end of that was lost with the image.']
        : []),
    ];
    const collected = this.#collected([...notes, ...lost]);
    this.#settle({ ...collected, outcome: 'crashed', package: packageName, condition: null });
  }

  #keep(event: OutcomeEvent): void {
    const { loaded, failures, runs } = this.#report;
    if (event.event === 'loaded') loaded.push(...event.systems);
    else if (event.event === 'form') this.#forms.push(itemOf(event));
    else if (event.event === 'warning') this.#warnings.push(itemOf(event));
    else if (event.event === 'failure') failures.push(itemOf(event));
    else if (event.event === 'tests') runs.push(itemOf(event));
    else if (event.event === 'profile') this.#report.profile = profileOf(itemOf(event));
    else this.#report.replay = itemOf(event);
  }

  #held({ package: packageName, condition }: EventNamed<'held'>): void {
    const [forms, warnings] = [[...this.#forms], [...this.#warnings]];
    this.#levels?.held({ package: packageName, condition, forms, warnings });
  }

  #done({ outcome, package: packageName, condition, cost, notes }: EventNamed<'done'>): void {
    const ended = { outcome, package: packageName, condition, ...(cost ? { cost: costOf(cost) } : {}) };
    this.#settle({ ...this.#collected(notes), ...ended });
  }

  #collected(notes: string[]): Pick<ImageOutcome, 'forms' | 'warnings' | 'notes' | 'report'> {
    const lost =
      this.#lost > 0 ? [`${this.#lost} forms, warnings or failures were not kept: there were too many.`] : [];
    const { loaded, failures, runs, profile, replay } = this.#report;
    const lists = [loaded, failures, runs];
    const told = profile !== undefined || replay !== undefined || lists.some((part) => part.length > 0);
    return {
      forms: this.#forms,
      warnings: this.#warnings,
      notes: [...notes, ...lost],
      ...(told ? { report: this.#report } : {}),
    };
  }

  #hasRoomFor(event: EvaluationEvent): boolean {
    this.#characters += JSON.stringify(event).length;
    this.#items += 1;
    return this.#characters <= KEPT_CHARACTERS && this.#items <= KEPT_ITEMS;
  }
}

/** What an event tells, without what only routes it. */
function itemOf<E extends EvaluationEvent>({ event: _event, id: _id, ...item }: E): Omit<E, 'event' | 'id'> {
  return item;
}
