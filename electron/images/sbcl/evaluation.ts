/** One evaluation while it runs in the image: collects what comes over the wire until its outcome is known. */
import type { FormResult, Warning } from '../../contract/model';
import type { LevelWatcher } from '../debugger';
import type { ImageOutcome, InputSource, OutputSink } from '../image';
import type { WireEvent } from './wire';

/** Characters of values and warnings kept of one evaluation; the agent itself stops at a quarter of it. */
const KEPT_CHARACTERS = 16_000_000;

/** Forms and warnings kept of one evaluation. */
const KEPT_ITEMS = 100_000;

type EventNamed<Name extends WireEvent['event']> = Extract<WireEvent, { event: Name }>;

/** What the image says of an evaluation that runs or is held. */
export type EvaluationEvent = EventNamed<'form' | 'warning' | 'held' | 'left' | 'done'>;

export interface EvaluationWatchers {
  /** Who hears when it is held. */
  levels?: LevelWatcher | undefined;
  input?: InputSource | undefined;
}

export class SbclEvaluation {
  readonly id: number;
  readonly sink: OutputSink;
  /** Who answers when the code reads; absent where nobody does. */
  readonly input: InputSource | undefined;
  readonly settled: Promise<ImageOutcome>;
  readonly #settle: (outcome: ImageOutcome) => void;
  readonly #levels: LevelWatcher | undefined;
  readonly #forms: FormResult[] = [];
  readonly #warnings: Warning[] = [];
  #characters = 0;
  #lost = 0;

  constructor(id: number, sink: OutputSink, { levels, input }: EvaluationWatchers = {}) {
    this.id = id;
    this.sink = sink;
    this.input = input;
    this.#levels = levels;
    const { promise, resolve } = Promise.withResolvers<ImageOutcome>();
    this.settled = promise;
    this.#settle = resolve;
  }

  receive(event: EvaluationEvent): void {
    switch (event.event) {
      case 'form':
        this.#form(event);
        break;
      case 'warning':
        this.#warning(event);
        break;
      case 'held':
        this.#held(event);
        break;
      case 'left':
        this.#levels?.left();
        break;
      case 'done':
        this.#done(event);
        break;
    }
  }

  /** The image is gone; what had arrived by then is kept. */
  crashed(packageName: string, notes: string[]): void {
    this.#settle({ ...this.#collected(notes), outcome: 'crashed', package: packageName, condition: null });
  }

  #form({ code, values }: FormResult): void {
    const length = values.reduce((sum, value) => sum + value.length, code.length);
    if (this.#hasRoomFor(length)) this.#forms.push({ code, values });
  }

  #warning({ event, id, ...warning }: EventNamed<'warning'>): void {
    const { type, message, source = '' } = warning;
    if (this.#hasRoomFor(type.length + message.length + source.length)) this.#warnings.push(warning);
  }

  #held({ package: packageName, condition }: EventNamed<'held'>): void {
    const [forms, warnings] = [[...this.#forms], [...this.#warnings]];
    this.#levels?.held({ package: packageName, condition, forms, warnings });
  }

  #done({ outcome, package: packageName, condition, notes }: EventNamed<'done'>): void {
    this.#settle({ ...this.#collected(notes), outcome, package: packageName, condition });
  }

  #collected(notes: string[]): Pick<ImageOutcome, 'forms' | 'warnings' | 'notes'> {
    const lost =
      this.#lost > 0 ? [`${this.#lost} forms or warnings were not kept: there were too many.`] : [];
    return { forms: this.#forms, warnings: this.#warnings, notes: [...notes, ...lost] };
  }

  #hasRoomFor(characters: number): boolean {
    this.#characters += characters;
    const items = this.#forms.length + this.#warnings.length;
    if (this.#characters <= KEPT_CHARACTERS && items < KEPT_ITEMS) return true;
    this.#lost += 1;
    return false;
  }
}
