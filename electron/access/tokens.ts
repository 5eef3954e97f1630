/**
 * The clients' tokens: issued, verified and revoked. Only their SHA-256 is kept, so the file gives none away. Those in
 * force are in memory, where each request is verified.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import { refuseReservedKey, SERVE_KEY } from '../contract/known-clients';
import { type Client, Scope, type TokenView } from '../contract/model';
import { thereAre } from '../contract/names-there';
import { tellingWhy } from '../history/database-errors';
import type { Writer } from '../history/writer';

/** Lets a secret scanner, and a person, know a token when they see one. */
const PREFIX = 'lh_';
/** Of randomness: 256 bits. */
const BYTES = 32;
/** How exact `lastUsedAt` is: a write for each request would cost more than the request. */
const USE_RECORDED_EVERY_MS = 60_000;

/** `token` is the secret. */
export interface IssuedToken {
  token: string;
  view: TokenView;
}

export interface Draft {
  /** The secret. */
  token: string;
  /** @throws HarborError `data_folder_unusable` or `data_folder_in_use` when it cannot be written */
  put(): TokenView;
}

interface StoredToken extends Omit<TokenView, 'scopes'> {
  hash: Buffer;
  /** JSON. */
  scopes: string;
}

type TokenInForce = TokenView & { hash: Buffer };

/** A token in force that was shown lately, and whose it is. */
interface SeenToken {
  token: TokenInForce;
  client: Client;
}

export class Tokens {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #replace: (token: TokenInForce) => void;
  readonly #clock: () => number;
  /** By the hash in hexadecimal, oldest first. */
  readonly #inForce: Map<string, TokenInForce>;
  /** By the secret, so that a client that shows it with each request need not be looked up each time. None but those in force:
   * whenever one comes or goes, all are forgotten. */
  readonly #seen = new Map<string, SeenToken>();
  #newest: number;

  /** @param clock milliseconds since the epoch */
  constructor(writer: Writer, clock: () => number = Date.now) {
    const statements = prepare(writer.database);
    this.#writer = writer;
    this.#statements = statements;
    this.#clock = clock;
    this.#newest = statements.newest.get() ?? 0;
    const tokens = statements.list.all().map((stored) => ({ ...stored, scopes: scopesOf(stored.scopes) }));
    this.#inForce = new Map(tokens.map((token) => [token.hash.toString('hex'), token]));
    this.#replace = writer.database.transaction(({ id, name, hash, scopes, issuedAt }: TokenInForce) => {
      statements.revokeName.run(issuedAt, name);
      statements.insert.run(id, name, hash, JSON.stringify(scopes), issuedAt);
    });
  }

  /**
   * A token for a client that a person named.
   * @param name also the client's key in the history; unique among the tokens in force
   * @param options.replace revokes the token that has the name now
   * @returns the secret, which nobody can read again
   * @throws HarborError `bad_arguments` when the name is taken or reserved; `data_folder_unusable` or `data_folder_in_use`
   * when it cannot be written: a person relies on it
   */
  issue(name: string, scopes: readonly Scope[], options: { replace?: boolean } = {}): IssuedToken {
    refuseReservedKey(name);
    if (!options.replace && this.list().some((token) => token.name === name)) {
      throw new HarborError(
        'bad_arguments',
        `There is a token named ${name} already. Revoke it first, or choose another name.`,
      );
    }
    return this.#issue(name, scopes, (inForce) => this.#now(() => this.#replace(inForce)));
  }

  /**
   * A token that is in force once it is put there, in the place of the one that has its name: whoever hands it on can do that
   * first. @throws HarborError `bad_arguments` for a reserved name
   */
  draft(name: string, scopes: readonly Scope[]): Draft {
    refuseReservedKey(name);
    return this.#draft(name, scopes, (inForce) => this.#now(() => this.#replace(inForce)));
  }

  /** Another one in the place of the token that has the id, of its name and scopes. The old one is refused from then on.
   * @throws HarborError as `revoke` */
  rotate(id: number): IssuedToken {
    const token = this.list().find((each) => each.id === id);
    if (!token) throw this.#unknown(id);
    return this.issue(token.name, token.scopes, { replace: true });
  }

  /** The token of one start of `serve`; that of the start before no longer works. */
  issueForServe(): IssuedToken {
    return this.#issue(SERVE_KEY, ['read', 'evaluate'], (inForce) =>
      this.#writer.write({ size: 0, run: () => this.#replace(inForce) }),
    );
  }

  /** The client whose token this is; null for one that was revoked or never issued. */
  verify(token: string): Client | null {
    const seen = this.#seen.get(token) ?? this.#look(token);
    if (seen === null) return null;
    this.#used(seen.token);
    return seen.client;
  }

  /** The one of that secret; undefined where it is not in force. It does not count as a use. */
  find(token: string): TokenView | undefined {
    const found = this.#inForce.get(hashOf(token).toString('hex'));
    return found && this.list().find(({ id }) => id === found.id);
  }

  /** Tokens in force, oldest first. */
  list(): TokenView[] {
    return [...this.#inForce.values()].map(({ hash, ...view }) => view);
  }

  /** Holds from the next request on.
   * @throws HarborError `bad_arguments` when no token in force has the id; `data_folder_unusable` or `data_folder_in_use`
   * when it cannot be written: then it holds until the harbor ends, and has to be done again */
  revoke(id: number): void {
    const revoked = [...this.#inForce].find(([, token]) => token.id === id);
    if (!revoked) throw this.#unknown(id);
    this.#inForce.delete(revoked[0]);
    this.#seen.clear();
    this.#now(() => this.#statements.revoke.run(this.#clock(), id));
  }

  #look(secret: string): SeenToken | null {
    const hash = hashOf(secret);
    const token = this.#inForce.get(hash.toString('hex'));
    if (token === undefined || !timingSafeEqual(token.hash, hash)) return null;
    const seen = { token, client: { key: token.name, scopes: new Set(token.scopes) } };
    this.#seen.set(secret, seen);
    return seen;
  }

  #unknown(id: number): HarborError {
    const known = this.list().map((token) => String(token.id));
    return new HarborError(
      'bad_arguments',
      `There is no token ${id} in force; it may be revoked already. ${thereAre(String(id), known)}`,
    );
  }

  #used(token: TokenInForce): void {
    const now = this.#clock();
    if (now - (token.lastUsedAt ?? 0) < USE_RECORDED_EVERY_MS) return;
    token.lastUsedAt = now;
    this.#writer.writeIfRoom({ size: 0, run: () => void this.#statements.used.run(now, token.id) });
  }

  #issue(name: string, scopes: readonly Scope[], write: (token: TokenInForce) => void): IssuedToken {
    const { token, put } = this.#draft(name, scopes, write);
    return { token, view: put() };
  }

  #draft(name: string, scopes: readonly Scope[], write: (token: TokenInForce) => void): Draft {
    const token = PREFIX + randomBytes(BYTES).toString('base64url');
    const hash = hashOf(token);
    const put = () => {
      const id = ++this.#newest;
      const view = { id, name, scopes: [...new Set(scopes)], issuedAt: this.#clock(), lastUsedAt: null };
      write({ ...view, hash });
      for (const [key, inForce] of this.#inForce) if (inForce.name === name) this.#inForce.delete(key);
      this.#inForce.set(hash.toString('hex'), { ...view, hash });
      this.#seen.clear();
      return view;
    };
    return { token, put };
  }

  /** Not later: whoever asks for it must know whether it is done. */
  #now(work: () => void): void {
    this.#writer.catchUp();
    const { database, waiting } = this.#writer;
    if (waiting !== null)
      throw new HarborError(
        'data_folder_unusable',
        `${database.name} cannot be written: ${waiting.because}.`,
      );
    tellingWhy(database.name, work);
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function scopesOf(json: string): Scope[] {
  return Scope.array().parse(JSON.parse(json));
}

function prepare(database: Database) {
  return {
    newest: database
      .prepare<[], number>(`select coalesce(max(seq), 0) from sqlite_sequence where name = 'tokens'`)
      .pluck(),
    insert: database.prepare<[number, string, Buffer, string, number]>(
      'insert into tokens (id, name, hash, scopes, issued_at) values (?, ?, ?, ?, ?)',
    ),
    used: database.prepare<[number, number]>('update tokens set last_used_at = ? where id = ?'),
    list: database.prepare<[], StoredToken>(
      `select id, name, hash, scopes, issued_at as issuedAt, last_used_at as lastUsedAt
       from tokens where revoked_at is null order by id`,
    ),
    revoke: database.prepare<[number, number]>('update tokens set revoked_at = ? where id = ?'),
    revokeName: database.prepare<[number, string]>(
      'update tokens set revoked_at = ? where name = ? and revoked_at is null',
    ),
  };
}
