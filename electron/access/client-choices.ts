/** What a person chose for a client beside its profile: the engine of its sessions, and what it may do. */
import type { Database } from 'better-sqlite3';
import { EngineName, Scope } from '../contract/model';
import { tellingWhy } from '../history/database-errors';

/** null: the usual. */
interface Choice {
  engine: EngineName | null;
  scopes: readonly Scope[] | null;
}

const USUAL: Choice = { engine: null, scopes: null };

export class ClientChoices {
  readonly #file: string;
  readonly #write: (client: string, choice: Choice) => void;
  /** What the table holds: it is asked at each call. */
  readonly #chosen: Map<string, Choice>;

  constructor(database: Database) {
    const statements = prepare(database);
    this.#file = database.name;
    this.#write = (client, { engine, scopes }) =>
      void statements.choose.run(client, engine, scopes && JSON.stringify(scopes));
    this.#chosen = new Map(statements.all.all().map(({ client, ...row }) => [client, choiceIn(row)]));
  }

  of(client: string): Choice {
    return this.#chosen.get(client) ?? USUAL;
  }

  /** Holds from the client's next conversation on. What is left out stays as it is.
   * @throws HarborError `data_folder_unusable` or `data_folder_in_use` when it cannot be written */
  choose(client: string, choice: Partial<Choice>): void {
    const chosen = { ...this.of(client), ...choice };
    tellingWhy(this.#file, () => this.#write(client, chosen));
    this.#chosen.set(client, chosen);
  }
}

/** What another version wrote, and this one does not know, counts for nothing. */
function choiceIn({ engine, scopes }: { engine: string | null; scopes: string | null }): Choice {
  return {
    engine: EngineName.safeParse(engine).data ?? null,
    scopes: scopes === null ? null : (Scope.array().safeParse(JSON.parse(scopes)).data ?? null),
  };
}

function prepare(database: Database) {
  return {
    all: database.prepare<[], { client: string; engine: string | null; scopes: string | null }>(
      'select client, engine, scopes from client_choices',
    ),
    choose: database.prepare<[string, string | null, string | null]>(
      'insert or replace into client_choices (client, engine, scopes) values (?, ?, ?)',
    ),
  };
}
