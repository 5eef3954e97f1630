/** Looking into values of a Swank server with Swank's own inspector (resources/swank/inspection.lisp). */
import { HarborError } from '../../contract/errors';
import type { Inspection, InspectStart, Part, PathStep } from '../../contract/inspection';
import type { Inspector, InspectRequest } from '../optional-groups';
import { type ContentPart, contentOf } from './inspector-content';
import type { SwankQuestions } from './questions';
import { elementsOf, lispCall, type Sexp, textOf } from './sexp';

/** Parts in one answer unless the caller says how many. */
const USUAL_PARTS = 50;
/** Parts that are named in place of one that does not exist. */
const NAMED = 20;

export class SwankInspector implements Inspector {
  readonly #questions: SwankQuestions;
  readonly #package: () => string;

  constructor(questions: SwankQuestions, packageName: () => string) {
    this.#questions = questions;
    this.#package = packageName;
  }

  async inspect({ start, path, offset, limit = USUAL_PARTS }: InspectRequest): Promise<Inspection> {
    let object = await this.#start(start);
    for (const step of path) {
      const { parts } = await this.#look(object);
      object = await this.#number(
        lispCall('lisp-harbor.swank:part-object', object, partAt(parts, step).number),
      );
    }
    const { kind, type, text, facts, parts, known } = await this.#look(object);
    const shown = parts.slice(offset, offset + limit).map((part, index): Part => {
      const number = known.get(part.number);
      const named = { index: offset + index, name: part.name, text: part.text };
      return number === undefined ? named : { ...named, object: number };
    });
    return { object, kind, type, text, facts, parts: shown, offset, total: parts.length };
  }

  /** @throws HarborError `not_supported` */
  settingCode(): string {
    throw new HarborError(
      'not_supported',
      'The inspector of Swank cannot set parts. Evaluate (setf …) with the place itself.',
    );
  }

  #start(start: InspectStart): Promise<number> {
    if ('object' in start) return Promise.resolve(start.object);
    if ('last' in start) return this.#number(lispCall('lisp-harbor.swank:last-object'));
    return this.#number(lispCall('lisp-harbor.swank:kept-object', start.evaluation));
  }

  async #number(question: Sexp): Promise<number> {
    const number = await this.#ask(question);
    if (typeof number === 'number') return number;
    throw new HarborError('query_failed', 'The server answered with something that names no object.');
  }

  async #look(object: number) {
    const [kind, type, text, items, known] = elementsOf(
      await this.#ask(lispCall('lisp-harbor.swank:inspection', object)),
    );
    return {
      kind: textOf(kind)?.toLowerCase() ?? '',
      type: textOf(type) ?? '',
      text: textOf(text) ?? '',
      ...contentOf(elementsOf(items)),
      known: new Map(elementsOf(known).map((pair) => numbersOf(pair))),
    };
  }

  #ask(question: Sexp): Promise<Sexp> {
    return this.#questions.ask(question, { package: this.#package() });
  }
}

function numbersOf(pair: Sexp): [number, number] {
  const [part, number] = elementsOf(pair);
  return [Number(part), Number(number)];
}

/** @throws HarborError `unknown_part` */
function partAt(parts: readonly ContentPart[], step: PathStep): ContentPart {
  const part = typeof step === 'number' ? parts[step] : parts.find(({ name }) => name === step);
  if (part) return part;
  const names = parts.slice(0, NAMED).map(({ name }) => name);
  const more = parts.length > NAMED ? ', …' : '';
  throw new HarborError(
    'unknown_part',
    `There is no part ${step} here. There are ${parts.length}: ${names.join(', ')}${more}.`,
  );
}
