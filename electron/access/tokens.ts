/**
 * Client tokens and one-time codes. Tokens are issued, verified and revoked. Only their SHA-256 is stored.
 * Valid tokens are in memory, because each request is verified.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { HarborError, listSimilarNames } from '../contract/errors';
import { refuseReservedKey, SERVE_KEY } from '../contract/known-clients';
import { type Client, Scope, type TokenView } from '../contract/model';
import type { Writer } from '../history/writer';

/** Identifies a token for secret scanners and readers. */
const PREFIX = 'lh_';
/** Random bytes of a token (256 bits). */
const BYTES = 32;
/** Precision of `lastUsedAt`: a write for each request would cost more than the request. */
const USE_RECORDED_EVERY_MS = 60_000;

/** `token` is the secret. */
export interface IssuedToken {
  token: string;
  view: TokenView;
}

interface Draft {
  /** The secret. */
  token: string;
  /** @throws HarborError `data_folder_unusable` or `data_folder_in_use` if it cannot be written */
  put(): TokenView;
}

interface StoredToken extends Omit<TokenView, 'scopes'> {
  hash: Buffer;
  /** JSON. */
  scopes: string;
}

type TokenInForce = TokenView & { hash: Buffer };

/** A valid token that was used recently, and its client. */
interface SeenToken {
  token: TokenInForce;
  client: Client;
}

export class Tokens {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #replace: (token: TokenInForce) => void;
  readonly #clock: () => number;
  /** By hash in hexadecimal, oldest first. */
  readonly #inForce: Map<string, TokenInForce>;
  /** By secret, so that repeated requests need no hashing. Cleared whenever a token is issued or revoked. */
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
   * Issues a token for a named client.
   * @param name also the client's key in the history; unique among valid tokens
   * @param options.replace revokes the token that has the name now
   * @returns the secret, which cannot be read again
   * @throws HarborError `bad_arguments` if the name is taken or reserved; `data_folder_unusable` or
   *   `data_folder_in_use` if it cannot be written
   */
  issue(name: string, scopes: readonly Scope[], options: { replace?: boolean } = {}): IssuedToken {
    refuseReservedKey(name);
    if (!options.replace && this.list().some((token) => token.name === name)) {
      throw new HarborError(
        'bad_arguments',
        `A token named ${name} already exists. Revoke it first, or choose another name.`,
      );
    }
    return this.#issue(name, scopes, (inForce) => this.#writer.now(() => this.#replace(inForce)));
  }

  /**
   * Returns a token that becomes valid with `put`, replacing the one of its name. The caller can hand it on
   * before.
   * @throws HarborError `bad_arguments` for a reserved name
   */
  draft(name: string, scopes: readonly Scope[]): Draft {
    refuseReservedKey(name);
    return this.#draft(name, scopes, (inForce) => this.#writer.now(() => this.#replace(inForce)));
  }

  /**
   * Replaces the token of that id by a new one with its name and scopes. The old one is refused from then on.
   * @throws HarborError as `revoke`
   */
  rotate(id: number): IssuedToken {
    const token = this.list().find((each) => each.id === id);
    if (!token) throw this.#unknown(id);
    return this.issue(token.name, token.scopes, { replace: true });
  }

  /** Issues the token of this start of `serve`; that of the last start becomes invalid. */
  issueForServe(): IssuedToken {
    return this.#issue(SERVE_KEY, ['read', 'evaluate'], (inForce) =>
      this.#writer.write({ size: 0, run: () => this.#replace(inForce) }),
    );
  }

  /** Returns the client of a token; null if it is revoked or unknown. */
  verify(token: string): Client | null {
    const seen = this.#seen.get(token) ?? this.#look(token);
    if (seen === null) return null;
    this.#used(seen.token);
    return seen.client;
  }

  /** Returns the valid token of that secret. This does not count as a use. */
  find(token: string): TokenView | undefined {
    const found = this.#inForce.get(hashOf(token).toString('hex'));
    return found && this.list().find(({ id }) => id === found.id);
  }

  /** Valid tokens, oldest first. */
  list(): TokenView[] {
    return [...this.#inForce.values()].map(({ hash, ...view }) => view);
  }

  /**
   * Revokes a token; applies from the next request on.
   * @throws HarborError `bad_arguments` if no valid token has the id; `data_folder_unusable` or
   *   `data_folder_in_use` if it cannot be written: then it applies until the harbor ends and must be repeated
   */
  revoke(id: number): void {
    const revoked = [...this.#inForce].find(([, token]) => token.id === id);
    if (!revoked) throw this.#unknown(id);
    this.#inForce.delete(revoked[0]);
    this.#seen.clear();
    this.#writer.now(() => this.#statements.revoke.run(this.#clock(), id));
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
      `No valid token has the id ${id}; it may be revoked already. ${listSimilarNames(String(id), known)}`,
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

/** 32 letters and digits that look different from each other. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 50 bits, too many to guess over a connection that allows few attempts. */
const LENGTH = 10;

export class OneTimeCode {
  #code = newCode();

  /** The current code in two groups. */
  get current(): string {
    return `${this.#code.slice(0, LENGTH / 2)}-${this.#code.slice(LENGTH / 2)}`;
  }

  /** Checks a typed code, with any grouping. A correct code is replaced by a new one. */
  take(typed: string): boolean {
    const typedCode = Buffer.from(typed.toLowerCase().replaceAll(/[\s-]/g, ''));
    const code = Buffer.from(this.#code);
    if (typedCode.length !== code.length || !timingSafeEqual(typedCode, code)) return false;
    this.#code = newCode();
    return true;
  }
}

function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
