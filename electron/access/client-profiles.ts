/** Which profile each client is served that names none: the one that a person chose for it, else the harbor's. */
import { EventEmitter } from 'node:events';
import type { Database } from 'better-sqlite3';
import type { ChosenProfiles } from '../contract/chosen-profiles';
import { HarborError } from '../contract/errors';
import { thereAre } from '../contract/names-there';
import { tellingWhy } from '../history/database-errors';

export interface ClientProfilesOptions {
  /** The harbor's own, for clients without a choice. */
  usual: string;
  /** Those that there are. */
  known: readonly string[];
}

export class ClientProfiles {
  readonly #options: ClientProfilesOptions;
  readonly #file: string;
  readonly #statements: ReturnType<typeof prepare>;
  /** What the table holds: it is asked at each call. */
  readonly #chosen: Map<string, string>;
  readonly #changes = new EventEmitter<Record<string, []>>();

  constructor(database: Database, options: ClientProfilesOptions) {
    this.#options = options;
    this.#file = database.name;
    this.#statements = prepare(database);
    this.#chosen = new Map(this.#statements.all.all().map(({ client, profile }) => [client, profile]));
    // Every conversation watches its client's.
    this.#changes.setMaxListeners(0);
  }

  of(client: string): string {
    return this.chosen(client) ?? this.#options.usual;
  }

  /** The one that a person chose; null for none. A choice that this version does not know, made in another one, is left
   * alone and counts for nothing. */
  chosen(client: string): string | null {
    const chosen = this.#chosen.get(client);
    return chosen !== undefined && this.#options.known.includes(chosen) ? chosen : null;
  }

  view(): ChosenProfiles {
    const { usual, known } = this.#options;
    return { usual, known: [...known], chosen: Object.fromEntries(this.#chosen) };
  }

  /** Holds from the client's next request on, also in conversations that are open.
   * @param profile null: the harbor's own
   * @throws HarborError `bad_arguments` when there is no such profile; `data_folder_unusable` or `data_folder_in_use` when
   * it cannot be written */
  choose(client: string, profile: string | null): void {
    if (profile !== null) this.check(profile);
    const before = this.of(client);
    // Not later: a person relies on it.
    if (profile === null) {
      tellingWhy(this.#file, () => this.#statements.forget.run(client));
      this.#chosen.delete(client);
    } else {
      tellingWhy(this.#file, () => this.#statements.choose.run(client, profile));
      this.#chosen.set(client, profile);
    }
    if (this.of(client) !== before) this.#changes.emit(client);
  }

  /** @throws HarborError `bad_arguments` when there is no such profile */
  check(profile: string): void {
    const { known } = this.#options;
    if (known.includes(profile)) return;
    throw new HarborError('bad_arguments', `There is no profile ${profile}. ${thereAre(profile, known)}`);
  }

  /** Calls `listener` when the client is served another profile, until what this answers is called. */
  watch(client: string, listener: () => void): () => void {
    this.#changes.on(client, listener);
    return () => this.#changes.off(client, listener);
  }
}

function prepare(database: Database) {
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
