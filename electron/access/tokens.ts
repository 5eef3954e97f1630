/** The clients' tokens: issued, verified and revoked. Only their SHA-256 is kept, so the file gives none away. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import { refuseReservedKey, SERVE_KEY } from '../contract/known-clients';
import { type Client, Scope, type TokenView } from '../contract/model';
import { thereAre } from '../contract/names-there';

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

interface StoredToken extends Omit<TokenView, 'scopes'> {
  /** JSON. */
  scopes: string;
}

export class Tokens {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #replace: (name: string, hash: Buffer, scopes: string, now: number) => number;
  readonly #clock: () => number;

  /** @param clock milliseconds since the epoch */
  constructor(database: Database, clock: () => number = Date.now) {
    const statements = prepare(database);
    this.#statements = statements;
    this.#clock = clock;
    this.#replace = database.transaction((name: string, hash: Buffer, scopes: string, now: number) => {
      statements.revokeName.run(now, name);
      return Number(statements.insert.run(name, hash, scopes, now).lastInsertRowid);
    });
  }

  /**
   * A token for a client that a person named.
   * @param name also the client's key in the history; unique among the tokens in force
   * @param options.replace revokes the token that has the name now
   * @returns the secret, which nobody can read again
   * @throws HarborError `bad_arguments` when the name is taken or reserved
   */
  issue(name: string, scopes: readonly Scope[], options: { replace?: boolean } = {}): IssuedToken {
    refuseReservedKey(name);
    if (!options.replace && this.#statements.named.get(name) !== undefined) {
      throw new HarborError(
        'bad_arguments',
        `There is a token named ${name} already. Revoke it first, or choose another name.`,
      );
    }
    return this.#issue(name, scopes);
  }

  /** The token of one start of `serve`; that of the start before no longer works. */
  issueForServe(): IssuedToken {
    return this.#issue(SERVE_KEY, ['read', 'evaluate']);
  }

  /** The client whose token this is; null for one that was revoked or never issued. */
  verify(token: string): Client | null {
    const hash = hashOf(token);
    const stored = this.#statements.byHash.get(hash);
    if (stored === undefined || !timingSafeEqual(stored.hash, hash)) return null;
    const now = this.#clock();
    if (now - (stored.lastUsedAt ?? 0) >= USE_RECORDED_EVERY_MS) this.#statements.used.run(now, stored.id);
    return { key: stored.name, scopes: new Set(scopesOf(stored.scopes)) };
  }

  /** Tokens in force, oldest first. */
  list(): TokenView[] {
    return this.#statements.list.all().map((stored) => ({ ...stored, scopes: scopesOf(stored.scopes) }));
  }

  /** Holds from the next request on. @throws HarborError `bad_arguments` when no token in force has the id */
  revoke(id: number): void {
    if (this.#statements.revoke.run(this.#clock(), id).changes > 0) return;
    const known = this.list().map((token) => String(token.id));
    throw new HarborError(
      'bad_arguments',
      `There is no token ${id} in force; it may be revoked already. ${thereAre(String(id), known)}`,
    );
  }

  #issue(name: string, scopes: readonly Scope[]): IssuedToken {
    const token = PREFIX + randomBytes(BYTES).toString('base64url');
    const issuedAt = this.#clock();
    const given = [...new Set(scopes)];
    const id = this.#replace(name, hashOf(token), JSON.stringify(given), issuedAt);
    return { token, view: { id, name, scopes: given, issuedAt, lastUsedAt: null } };
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function scopesOf(json: string): Scope[] {
  return Scope.array().parse(JSON.parse(json));
}

const COLUMNS = 'id, name, scopes, issued_at as issuedAt, last_used_at as lastUsedAt';

function prepare(database: Database) {
  return {
    named: database.prepare<[string]>('select id from tokens where name = ? and revoked_at is null'),
    insert: database.prepare<[string, Buffer, string, number]>(
      'insert into tokens (name, hash, scopes, issued_at) values (?, ?, ?, ?)',
    ),
    byHash: database.prepare<[Buffer], StoredToken & { hash: Buffer }>(
      `select ${COLUMNS}, hash from tokens where hash = ? and revoked_at is null`,
    ),
    used: database.prepare<[number, number]>('update tokens set last_used_at = ? where id = ?'),
    list: database.prepare<[], StoredToken>(
      `select ${COLUMNS} from tokens where revoked_at is null order by id`,
    ),
    revoke: database.prepare<[number, number]>(
      'update tokens set revoked_at = ? where id = ? and revoked_at is null',
    ),
    revokeName: database.prepare<[number, string]>(
      'update tokens set revoked_at = ? where name = ? and revoked_at is null',
    ),
  };
}
