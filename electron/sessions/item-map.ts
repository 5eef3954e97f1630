/**
 * A map: evaluates code once for each item, on copies of a session that run in parallel. For the session it is
 * one evaluation outside its image. Each item is an evaluation of its own, in the session that is a copy, with
 * the map as its parent.
 */

import { availableParallelism } from 'node:os';
import type { Requester } from '../contract/approvals';
import { asFailure, HarborError } from '../contract/errors';
import type { Condition, EngineName, Evaluation } from '../contract/model';
import { type Note, note } from '../contract/note';
import type { ItemResult, Report } from '../contract/report';
import type { ImageOutcome, OutputSink } from '../images/image';
import { type Dialect, dialectOf } from '../source/dialect';
import { read } from '../source/reader';
import { formsOf } from '../source/syntax-tree';
import type { Origin } from './open-request';
import type { Checkpoints } from './recovery/checkpoints';
import type { RunningEvaluation } from './session/pending-evaluations';
import type { Session } from './session/session';
import type { EvaluationRequest, OutsideWork } from './session/session-journal';
import type { Sessions } from './sessions';

/** Maximum items of a map, and copies that run at once. */
export const MAX_ITEMS = 10_000;
export const MAX_COPIES = 64;

/** Copies on each host whose settings do not say how many. */
const COPIES_ON_HOST = 4;

/** How often the item of a lost image runs again. */
const MAX_RETRIES = 2;

export interface MapRequest {
  /** The code, with its other options. */
  evaluation: Pick<EvaluationRequest, 'code' | 'package' | 'safeRead'>;
  /** The name that has the value of the item. */
  as: string;
  /** The form of each item. */
  forms: readonly string[];
  /** Maximum copies; absent: one for each processor, or as many as the hosts allow. */
  most?: number;
  /** Whether an item whose image was lost while it ran may run again. */
  idempotent: boolean;
  /** The hosts that run the copies; none: that of the session. */
  hosts: readonly string[];
}

interface MapOptions {
  session: Session;
  requester: Requester;
  sessions: Sessions;
  checkpoints: Checkpoints;
}

export class ItemMap implements OutsideWork {
  readonly #request: MapRequest;
  readonly #options: MapOptions;
  /** The newest evaluation of the session when the map was requested: its copies have the state after it. */
  readonly #after: number;
  /** The host of each copy; undefined: this computer. */
  readonly #places: readonly (string | undefined)[];
  readonly #items: ItemResult[];
  /** Indexes of items that no copy has taken. */
  readonly #queue: number[];
  /** By index: how often the item was lost. */
  readonly #lost = new Map<number, number>();
  readonly #running = new Map<Session, RunningEvaluation>();
  readonly #problems: HarborError[] = [];
  #stopped = false;

  /** @throws HarborError `bad_arguments`, `not_supported` */
  constructor(request: MapRequest, options: MapOptions) {
    const { engine, server } = options.session.identity;
    if (server)
      throw new HarborError(
        'not_supported',
        'An attached server cannot be copied. Use a session of an engine that is started.',
      );
    requireName(request.as);
    for (const [index, form] of request.forms.entries()) requireOneForm(form, index, dialectOf(engine));
    this.#places = placesFor(request, options);
    this.#request = request;
    this.#options = options;
    this.#after = options.session.newestRow;
    this.#items = request.forms.map((_, index) => ({ index, outcome: 'waiting' }));
    this.#queue = request.forms.map((_, index) => index);
  }

  get report(): Report {
    return { loaded: [], failures: [], runs: [], items: this.#items };
  }

  async run(sink: OutputSink, evaluation: number): Promise<Omit<ImageOutcome, 'package'>> {
    const { session, requester, checkpoints } = this.#options;
    const present =
      this.#request.hosts.length === 0
        ? await checkpoints.present(session, requester, this.#after).catch(asHarborError)
        : { origin: checkpoints.replayed(session, this.#after), notes: [], drop: async () => undefined };
    if (present instanceof HarborError) return this.#outcome([], present);
    const places = this.#places.slice(0, this.#queue.length);
    await Promise.all(
      places.map((host, place) => {
        const name = `map ${evaluation} copy ${place + 1}`;
        return this.#workAt({ name, from: present.origin, host }, evaluation, sink);
      }),
    );
    await present.drop();
    return this.#outcome(present.notes, this.#queue.length > 0 ? this.#problems[0] : undefined);
  }

  stop(): void {
    this.#stopped = true;
    for (const [copy, evaluation] of this.#running) void copy.cancel(evaluation);
  }

  /**
   * Evaluates items in a copy, and in another one when its image is lost, until no item is left. Without a copy
   * the items are left to the others.
   */
  async #workAt(
    { name, from, host }: { name: string; from: Origin; host: string | undefined },
    parent: number,
    sink: OutputSink,
  ): Promise<void> {
    const { session, requester, sessions } = this.#options;
    const request = { client: requester.client.key, name, from, ...(host === undefined ? {} : { host }) };
    try {
      while (!this.#stopped && this.#queue.length > 0) {
        const copy = await sessions.openCopy(session, request);
        await this.#work(copy, parent, sink).finally(() => sessions.close(copy));
      }
    } catch (error) {
      this.#problems.push(asHarborError(error));
    }
  }

  /** Evaluates items until none is left or the image is lost. */
  async #work(copy: Session, parent: number, sink: OutputSink): Promise<void> {
    while (!this.#stopped && copy.state === 'idle') {
      const index = this.#queue.shift();
      if (index === undefined) return;
      try {
        await this.#evaluate(index, { copy, parent, sink });
      } catch (error) {
        // It has not begun, because the copy was closed.
        this.#queue.push(index);
        throw error;
      }
    }
  }

  async #evaluate(
    index: number,
    { copy, parent, sink }: { copy: Session; parent: number; sink: OutputSink },
  ): Promise<void> {
    const { requester } = this.#options;
    const { evaluation: requested, as, forms, idempotent } = this.#request;
    const evaluation = copy.evaluate({
      ...requested,
      client: requester.client.key,
      grant: requester.grant,
      kind: 'item',
      parent,
      code: boundCode(copy.identity.engine, { as, form: forms[index] ?? '', code: requested.code }),
      onError: 'report',
    });
    this.#items[index] = { index, outcome: 'running', id: evaluation.id };
    this.#running.set(copy, evaluation);
    const row = await evaluation.settled;
    this.#running.delete(copy);
    const isLost = row.outcome === 'crashed' || (row.outcome === 'interrupted' && copy.state === 'ended');
    const mayRunAgain = idempotent || evaluation.durationMs === null;
    const lost = this.#lost.get(index) ?? 0;
    if (isLost && mayRunAgain && lost < MAX_RETRIES && !this.#stopped) {
      this.#lost.set(index, lost + 1);
      this.#items[index] = { index, outcome: 'waiting' };
      this.#queue.push(index);
      return;
    }
    const result = itemResult(index, row);
    this.#items[index] = result;
    sink('stdout', `${itemLine(result)}\n`);
  }

  #outcome(notes: readonly Note[], problem?: HarborError): Omit<ImageOutcome, 'package'> {
    const failed = this.#items.filter(({ outcome }) => outcome !== 'ok');
    const shared = { forms: [], warnings: [], report: this.report };
    if (this.#stopped) return { ...shared, outcome: 'interrupted', condition: null, notes: [...notes] };
    const fewer = problem ? undefined : this.#problems[0];
    const allNotes = [...notes, ...(fewer ? [note('no_copy', `Fewer copies ran: ${fewer.message}`)] : [])];
    if (problem)
      return {
        ...shared,
        outcome: 'error',
        condition: condition('NoCopy', problem.message),
        notes: allNotes,
      };
    if (failed.length === 0) return { ...shared, outcome: 'ok', condition: null, notes: allNotes };
    const message = `${failed.length} of ${this.#items.length} items failed: ${indexesText(failed)}.`;
    return { ...shared, outcome: 'error', condition: condition('ItemsFailed', message), notes: allNotes };
  }
}

/**
 * Returns the places of copies: the hosts in turn, each as often as its settings and the map allow.
 * @throws HarborError `bad_arguments` for an unknown host
 */
function placesFor({ hosts: named, most }: MapRequest, { session, sessions }: MapOptions) {
  const { host: own } = session.identity;
  const hosts = named.length === 0 && own !== undefined ? [own] : named;
  if (hosts.length === 0) return Array.from({ length: most ?? availableParallelism() }, () => undefined);
  const limits = hosts.map((host) => sessions.mostOn(host) ?? COPIES_ON_HOST);
  const rounds = Array.from({ length: Math.max(...limits) }, (_, round) =>
    hosts.filter((_host, at) => round < (limits[at] ?? 0)),
  );
  return rounds.flat().slice(0, most);
}

function asHarborError(error: unknown): HarborError {
  return error instanceof HarborError ? error : new HarborError('internal', asFailure(error).message);
}

function condition(type: string, message: string): Condition {
  return { type, message, level: 0, restarts: [], frames: [] };
}

/** Maximum failed items that a message names. */
const NAMED_ITEMS = 20;

function indexesText(items: readonly ItemResult[]): string {
  const more = items.length > NAMED_ITEMS ? ` and ${items.length - NAMED_ITEMS} more` : '';
  const named = items.slice(0, NAMED_ITEMS).map(({ index }) => index);
  return `${named.join(', ')}${more}`;
}

function itemResult(index: number, { id, outcome, forms, condition: met }: Evaluation): ItemResult {
  const ended = outcome === 'debugger' ? 'running' : outcome;
  return {
    index,
    outcome: ended,
    id,
    ...(ended === 'ok' ? { values: forms.at(-1)?.values ?? [] } : {}),
    ...(met ? { condition: { type: met.type, message: met.message } } : {}),
  };
}

/** Returns `3: 9`, or `3: error [TYPE] message (evaluation 57)`. */
export function itemLine({ index, outcome, id, values, condition: met }: ItemResult): string {
  if (values) return `${index}: ${values.length === 0 ? '; no values' : values.join(' ; ')}`;
  const why = met ? ` [${met.type}] ${met.message}` : '';
  return `${index}: ${outcome}${why}${id === undefined ? '' : ` (evaluation ${id})`}`;
}

// The code of an item: the code of the map with the name bound to the value of the item's form.

interface Bound {
  as: string;
  form: string;
  code: string;
}

/** The code comes on lines of its own, because a form may end with a comment. */
const BOUND_IN: Readonly<Record<Dialect, (bound: Bound) => string>> = {
  'common-lisp': ({ as, form, code }) => `(let ((${as} ${form}\n))\n${code}\n)`,
  clojure: ({ as, form, code }) => `(let [${as} ${form}\n]\n${code}\n)`,
};

/** A constant of ACL2, which events can refer to: they cannot be within LET. */
const CONSTANT = /^\*.+\*$/;

function boundCode(engine: EngineName, bound: Bound): string {
  if (engine !== 'acl2' || !CONSTANT.test(bound.as)) return BOUND_IN[dialectOf(engine)](bound);
  const { as, form, code } = bound;
  const undo = `(if (getpropc '${as} 'const nil (w state)) (ubt! '${as}) (value :invisible))`;
  return `${undo}\n(defconst ${as} ${form}\n)\n${code}`;
}

/** @throws HarborError `bad_arguments` if no variable can have the name */
function requireName(name: string): void {
  if (/^(?![-+.\d]*$)[^\s()[\]{}"'`,;|\\#@^~:\d][^\s()[\]{}"`,;|\\@^~:]*$/.test(name)) return;
  throw new HarborError('bad_arguments', `map.as is the name of a variable, such as n; ${name} is none.`);
}

/** @throws HarborError `bad_arguments` */
function requireOneForm(form: string, index: number, dialect: Dialect): void {
  const { tree, problem } = read(form, dialect);
  if (problem === null && formsOf(tree).length === 1) return;
  throw new HarborError(
    'bad_arguments',
    `Item ${index} must be exactly one complete form: ${form.slice(0, 80)}`,
  );
}
