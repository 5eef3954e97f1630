/** Replay in Clojure and nbb: what an earlier image had defined is evaluated again, form by form. */
import type { MissingForm } from '../../contract/report';
import type { ReplayEntry } from '../checkpoints';
import type { Image, ImageOutcome, Replayer } from '../image';
import { clojureData } from './clojure-code';
import { type PlacedForm, placedForms } from './placed-forms';
import { replayed } from './replayed-forms';

/** Forms that are left out or fail, of which as many are told, and the longest text of one. */
const TOLD = { forms: 500, characters: 200 } as const;

/** How the engine goes to a namespace that exists: code. */
export type Entering = (namespace: string) => string;

export class ClojureReplayer implements Replayer {
  readonly pending = false;
  readonly #entering: Entering;

  constructor(entering: Entering = (namespace) => `(in-ns (symbol ${clojureData(namespace)}))`) {
    this.#entering = entering;
  }

  async replay(image: Image, entries: readonly ReplayEntry[], packageAfter: string): Promise<ImageOutcome> {
    const replay = new Replay(image, this.#entering);
    for (const entry of entries) {
      await replay.entry(entry);
      if (replay.ended) break;
    }
    return replay.outcome(packageAfter);
  }
}

class Replay {
  readonly #image: Image;
  readonly #entering: Entering;
  readonly #missing: MissingForm[] = [];
  #count = 0;
  #missingCount = 0;
  #last: ImageOutcome | null = null;

  constructor(image: Image, entering: Entering) {
    this.#image = image;
    this.#entering = entering;
  }

  /** Whether the image is gone, or is to be. */
  get ended(): boolean {
    return this.#last?.outcome === 'crashed' || this.#last?.outcome === 'interrupted';
  }

  /** The forms of one evaluation, those that had come to their end. */
  async entry({ id, package: namespace, formCount, code }: ReplayEntry): Promise<void> {
    const forms = placedForms(code).slice(0, formCount);
    if (forms.every((form) => replayed(form.code) !== 'again') || (await this.#enter(namespace, id))) {
      for (const form of forms) {
        await this.#form(form, id);
        if (this.ended) return;
      }
    } else for (const form of forms) this.#miss(id, form.code, `there is no namespace ${namespace}`);
  }

  /** What came back is in the report; an outcome other than `ok` is that of the form which ended the image. */
  async outcome(packageAfter: string): Promise<ImageOutcome> {
    if (!this.ended) await this.#enter(packageAfter, 0);
    const replay = { count: this.#count, missing: this.#missing, missingCount: this.#missingCount };
    const nothing = { forms: [], warnings: [], condition: null, notes: [] };
    const ended = this.ended && this.#last ? this.#last : { ...nothing, outcome: 'ok' as const };
    return { ...ended, package: this.#image.package, report: { loaded: [], failures: [], runs: [], replay } };
  }

  async #form(form: PlacedForm, id: number): Promise<void> {
    const what = replayed(form.code);
    if (what === 'left out') this.#miss(id, form.code, 'it defines nothing');
    if (what !== 'again') return;
    const { outcome, condition } = await this.#evaluate(inPlace(form), id);
    if (outcome === 'ok') this.#count += 1;
    else if (condition) this.#miss(id, form.code, `${condition.type}: ${oneLine(condition.message)}`);
  }

  /** Goes to a namespace that exists; false when it does not. */
  async #enter(namespace: string, id: number): Promise<boolean> {
    if (this.#image.package === namespace) return true;
    const { outcome } = await this.#evaluate('nil', id, namespace);
    if (outcome !== 'ok') return false;
    await this.#evaluate(this.#entering(namespace), id);
    return this.#image.package === namespace;
  }

  async #evaluate(code: string, id: number, namespace?: string): Promise<ImageOutcome> {
    const where = namespace === undefined ? {} : { package: namespace };
    this.#last = await this.#image.evaluate({ id, code, ...where }, () => undefined);
    return this.#last;
  }

  #miss(id: number, code: string, because: string): void {
    this.#missingCount += 1;
    if (this.#missing.length < TOLD.forms) this.#missing.push({ id, form: oneLine(code), because });
  }
}

/** With as many lines before it as it had in its evaluation, so that its definitions keep their places. */
function inPlace({ code, line }: PlacedForm): string {
  return `${'\n'.repeat(line)}${code}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, TOLD.characters);
}
