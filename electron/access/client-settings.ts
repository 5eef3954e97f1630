/** The user's settings for clients: the tool profile, the engine of their sessions, and their scopes. */

import { EventEmitter } from 'node:events';
import type { Database } from 'better-sqlite3';
import type { ChosenProfiles } from '../contract/clients';
import { HarborError, listSimilarNames } from '../contract/errors';
import { EngineName, Scope } from '../contract/model';
import type { Writer } from '../history/writer';
import { addListeners } from '../host/listeners';

interface ClientProfilesOptions {
  /** The harbor's default, for clients without a choice. */
  usual: string;
  /** The names of all profiles. */
  known: readonly string[];
}

export class ClientProfiles {
  readonly #options: ClientProfilesOptions;
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepareProfiles>;
  /** The content of the table, in memory because each call reads it. */
  readonly #chosen: Map<string, string>;
  readonly #changes = new EventEmitter<Record<string, []>>();

  constructor(writer: Writer, options: ClientProfilesOptions) {
    this.#options = options;
    this.#writer = writer;
    this.#statements = prepareProfiles(writer.database);
    this.#chosen = new Map(this.#statements.all.all().map(({ client, profile }) => [client, profile]));
    // Every conversation subscribes to changes of its client.
    this.#changes.setMaxListeners(0);
  }

  of(client: string): string {
    return this.chosen(client) ?? this.#options.usual;
  }

  /**
   * Returns the chosen profile; null if there is none. A profile that this version does not know is ignored
   * but not deleted.
   */
  chosen(client: string): string | null {
    const chosen = this.#chosen.get(client);
    return chosen !== undefined && this.#options.known.includes(chosen) ? chosen : null;
  }

  view(): ChosenProfiles {
    const { usual, known } = this.#options;
    return { usual, known: [...known], chosen: Object.fromEntries(this.#chosen) };
  }

  /**
   * Sets the profile. It applies from the client's next request on, also in open conversations.
   * @param profile null: the harbor's default
   * @throws HarborError `bad_arguments` for an unknown profile; `data_folder_unusable` or
   *   `data_folder_in_use` if it cannot be written
   */
  choose(client: string, profile: string | null): void {
    if (profile !== null) this.check(profile);
    const before = this.of(client);
    // Written at once, because the user relies on it.
    if (profile === null) {
      this.#writer.now(() => this.#statements.forget.run(client));
      this.#chosen.delete(client);
    } else {
      this.#writer.now(() => this.#statements.choose.run(client, profile));
      this.#chosen.set(client, profile);
    }
    if (this.of(client) !== before) this.#changes.emit(client);
  }

  /** @throws HarborError `bad_arguments` for an unknown profile */
  check(profile: string): void {
    const { known } = this.#options;
    if (known.includes(profile)) return;
    throw new HarborError(
      'bad_arguments',
      `There is no profile ${profile}. ${listSimilarNames(profile, known)}`,
    );
  }

  /** Calls `listener` when the profile of the client changes. Returns a function that unsubscribes. */
  watch(client: string, listener: () => void): () => void {
    return addListeners(this.#changes, (on) => on(client, listener));
  }
}

function prepareProfiles(database: Database) {
  return {
    all: database.prepare<[], { client: string; profile: string }>(
      'select client, profile from client_profiles',
    ),
    choose: database.prepare<[string, string]>(
      'insert into client_profiles (client, profile) values (?, ?) on conflict do update set profile = excluded.profile',
    ),
    forget: database.prepare<[string]>('delete from client_profiles where client = ?'),
  };
}

/** null: the default. */
interface Choice {
  engine: EngineName | null;
  scopes: readonly Scope[] | null;
}

const USUAL: Choice = { engine: null, scopes: null };

export class ClientChoices {
  readonly #writer: Writer;
  readonly #write: (client: string, choice: Choice) => void;
  /** The content of the table, in memory because each call reads it. */
  readonly #chosen: Map<string, Choice>;

  constructor(writer: Writer) {
    const statements = prepareChoices(writer.database);
    this.#writer = writer;
    this.#write = (client, { engine, scopes }) =>
      void statements.choose.run(client, engine, scopes && JSON.stringify(scopes));
    this.#chosen = new Map(statements.all.all().map(({ client, ...row }) => [client, choiceIn(row)]));
  }

  of(client: string): Choice {
    return this.#chosen.get(client) ?? USUAL;
  }

  /**
   * Changes the given settings. They apply from the client's next conversation on.
   * @throws HarborError `data_folder_unusable` or `data_folder_in_use` if they cannot be written
   */
  choose(client: string, choice: Partial<Choice>): void {
    const chosen = { ...this.of(client), ...choice };
    this.#writer.now(() => this.#write(client, chosen));
    this.#chosen.set(client, chosen);
  }
}

/** Parses a row. Values of another version that this one does not know are ignored. */
function choiceIn({ engine, scopes }: { engine: string | null; scopes: string | null }): Choice {
  return {
    engine: EngineName.safeParse(engine).data ?? null,
    scopes: scopes === null ? null : (Scope.array().safeParse(JSON.parse(scopes)).data ?? null),
  };
}

function prepareChoices(database: Database) {
  return {
    all: database.prepare<[], { client: string; engine: string | null; scopes: string | null }>(
      'select client, engine, scopes from client_choices',
    ),
    choose: database.prepare<[string, string | null, string | null]>(
      'insert or replace into client_choices (client, engine, scopes) values (?, ?, ?)',
    ),
  };
}
