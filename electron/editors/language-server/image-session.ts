/**
 * The session that answers for the files of the project: the named one, or the one that was used last and reads their
 * dialect. Without one, queries have no answer, and an evaluation opens one.
 */
import type { ToolAnswer } from '../../contract/local-socket';
import type { EngineName } from '../../contract/model';
import { type Dialect, dialectOf } from '../../source/dialect';
import { availableEngines, type HarborLink, isSessionLost, type LiveCall } from '../harbor-link';
import type { LispText } from '../lisp-text';

type Data = ToolAnswer['data'];

export interface Wanted {
  /** Handle or name of a session; absent: the one that was used last. */
  session?: string | undefined;
  engine?: EngineName | undefined;
}

interface Found {
  session: string;
  engine: EngineName;
}

/** Texts that one session answers for: a dialect, or the books of ACL2. */
type Purpose = Dialect | 'acl2';

/** Engines by preference that open a session for a purpose. */
const ENGINES: Readonly<Record<Purpose, readonly [EngineName, ...EngineName[]]>> = {
  'common-lisp': ['sbcl', 'ecl', 'abcl', 'ccl'],
  acl2: ['acl2'],
  clojure: ['clojure', 'nbb'],
};

export class ImageSession {
  readonly #link: HarborLink;
  readonly #wanted: Wanted;
  readonly #project: string;
  /** Called when another session answers, or none. */
  readonly #onChoice: (session: Found | null, purpose: Purpose) => void;
  readonly #chosen = new Map<Purpose, Promise<Found | null>>();

  constructor(
    link: HarborLink,
    project: string,
    wanted: Wanted,
    onChoice: (session: Found | null, purpose: Purpose) => void,
  ) {
    this.#link = link;
    this.#project = project;
    this.#wanted = wanted;
    this.#onChoice = onChoice;
  }

  /** Looks for sessions again: one was opened, or the harbor has restarted. */
  forget(): void {
    for (const [purpose, chosen] of this.#chosen)
      void chosen.then((session) => session === null && this.#chosen.delete(purpose));
  }

  /** Returns the data of a query; null without a session, and if it knows no answer. */
  async query(text: LispText, tool: string, args: Record<string, unknown>): Promise<Data | null> {
    const found = await this.#of(text).catch(() => null);
    if (found === null) return null;
    try {
      const { data, isError } = await this.#link.call(tool, { ...args, session: found.session });
      return isError ? null : data;
    } catch (error) {
      this.#lost(error, text);
      return null;
    }
  }

  /** @throws HarborError why nothing ran */
  async run(
    text: LispText,
    tool: string,
    args: Record<string, unknown>,
    live: LiveCall,
  ): Promise<ToolAnswer> {
    const { session } = (await this.#of(text)) ?? (await this.#open(text));
    try {
      return await this.#link.call(tool, { ...args, session }, live);
    } catch (error) {
      this.#lost(error, text);
      throw error;
    }
  }

  #lost(error: unknown, text: LispText): void {
    if (isSessionLost(error)) this.#chosen.delete(purposeOf(text));
  }

  #of(text: LispText): Promise<Found | null> {
    const purpose = purposeOf(text);
    const known = this.#chosen.get(purpose);
    if (known) return known;
    const chosen = this.#choose(purpose);
    this.#chosen.set(purpose, chosen);
    chosen.then(
      (session) => this.#onChoice(session, purpose),
      () => this.#chosen.delete(purpose),
    );
    return chosen;
  }

  async #choose(purpose: Purpose): Promise<Found | null> {
    const { data } = await this.#link.call('images', {});
    const { session: named, engine } = this.#wanted;
    const dialect = purpose === 'acl2' ? 'common-lisp' : purpose;
    const { sessions = [] } = data as { sessions?: SessionRow[] };
    const all = sessions.filter((each) => dialectOf(each.engine) === dialect);
    if (named !== undefined)
      return all.find(({ session, name }) => session === named || name === named) ?? null;
    const isWanted = (each: SessionRow) =>
      engine === undefined ? (each.engine === 'acl2') === (purpose === 'acl2') : each.engine === engine;
    const [latest] = all
      .filter((each) => each.project === this.#project && isWanted(each))
      .sort((one, other) => (one.last_used_at < other.last_used_at ? 1 : -1));
    return latest ?? null;
  }

  async #open(text: LispText): Promise<Found> {
    const purpose = purposeOf(text);
    const { session: name, engine: wanted } = this.#wanted;
    const { data } = await this.#link.call('images', {});
    const available = availableEngines(data);
    const preferred = ENGINES[purpose];
    const engine = wanted ?? preferred.find((each) => available.includes(each)) ?? preferred[0];
    const opened = await this.#link.call('open_session', {
      engine,
      ...(name === undefined ? {} : { name }),
    });
    const found = { session: String(opened.data.session), engine };
    this.#chosen.set(purpose, Promise.resolve(found));
    this.#onChoice(found, purpose);
    return found;
  }
}

function purposeOf({ dialect, isBook }: LispText): Purpose {
  return isBook ? 'acl2' : dialect;
}

interface SessionRow extends Found {
  name: string;
  project: string;
  last_used_at: string;
}
