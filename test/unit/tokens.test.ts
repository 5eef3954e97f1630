import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Tokens } from '../../electron/access/tokens';
import { openDatabase } from '../../electron/history/database';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';

function newTokens() {
  const file = path.join(temporaryFolder(), 'history.db');
  const { database } = openDatabase(file);
  onTestFinished(() => void database.close());
  let now = 1_000_000;
  const clock = {
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
  return { tokens: new Tokens(new Writer(database), () => now), clock, database, file };
}

describe('Tokens', () => {
  it('issues 256 bits that verify as the client of that name, with its scopes', () => {
    const { tokens } = newTokens();
    const { token, view } = tokens.issue('codex', ['read', 'evaluate']);
    expect(token).toMatch(/^lh_[\w-]{43}$/);
    expect(view).toEqual({
      id: 1,
      name: 'codex',
      scopes: ['read', 'evaluate'],
      issuedAt: 1_000_000,
      lastUsedAt: null,
    });
    expect(tokens.verify(token)).toEqual({ key: 'codex', scopes: new Set(['read', 'evaluate']) });
    expect(tokens.issue('cursor', ['read']).token).not.toBe(token);
  });

  it('verifies nothing else', () => {
    const { tokens } = newTokens();
    const { token } = tokens.issue('codex', ['read']);
    for (const wrong of ['', 'lh_', token.slice(0, -1), `${token}A`, token.toUpperCase(), ` ${token}`]) {
      expect(tokens.verify(wrong)).toBeNull();
    }
  });

  it('keeps no secret in the file', () => {
    const { tokens, database, file } = newTokens();
    const { token } = tokens.issue('codex', ['read']);
    database.pragma('wal_checkpoint(truncate)');
    expect(readFileSync(file).includes(token.slice('lh_'.length))).toBe(false);
    expect(readFileSync(file).includes('codex')).toBe(true);
  });

  it('takes a name once, unless the older token is to be replaced', () => {
    const { tokens } = newTokens();
    const first = tokens.issue('cursor', ['read']);
    expect(() => tokens.issue('cursor', ['read'])).toThrow(/named cursor already/);
    expect(tokens.verify(first.token)).not.toBeNull();
    const second = tokens.issue('cursor', ['read', 'admin'], { replace: true });
    expect(tokens.list()).toEqual([second.view]);
    expect(tokens.verify(first.token)).toBeNull();
    expect(tokens.verify(second.token)?.scopes).toEqual(new Set(['read', 'admin']));
  });

  it.each(['you', 'command-line', 'stdio', 'serve', 'You', ' serve '])(
    'keeps %j for whom it stands',
    (name) => {
      const { tokens } = newTokens();
      for (const options of [{}, { replace: true }])
        expect(() => tokens.issue(name, ['read'], options)).toThrow(/reserved/);
      expect(tokens.list()).toEqual([]);
    },
  );

  it('gives each start of serve a token, and takes the one before out of force', () => {
    const { tokens } = newTokens();
    const [first, second] = [tokens.issueForServe(), tokens.issueForServe()];
    expect(tokens.verify(first.token)).toBeNull();
    expect(tokens.verify(second.token)).toEqual({ key: 'serve', scopes: new Set(['read', 'evaluate']) });
  });

  it('revokes from the next request on, and frees the name', () => {
    const { tokens } = newTokens();
    const { token, view } = tokens.issue('codex', ['read']);
    expect(tokens.verify(token)?.key).toBe('codex');
    tokens.revoke(view.id);
    expect(tokens.verify(token)).toBeNull();
    expect(tokens.list()).toEqual([]);
    expect(() => tokens.revoke(view.id)).toThrow(/token .* 1/);
    expect(tokens.issue('codex', ['read']).view.id).not.toBe(view.id);
  });

  it('notes the last use at most once a minute', () => {
    const { tokens, clock } = newTokens();
    const { token } = tokens.issue('codex', ['read']);
    const lastUsed = () => tokens.list()[0]?.lastUsedAt;
    tokens.verify(token);
    expect(lastUsed()).toBe(1_000_000);
    clock.pass(59_999);
    tokens.verify(token);
    expect(lastUsed()).toBe(1_000_000);
    clock.pass(1);
    tokens.verify(token);
    expect(lastUsed()).toBe(1_060_000);
  });
});
