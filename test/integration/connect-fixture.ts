/** Connecting on a real file system: a home with the configuration of one program, empty at the start of each test. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { HarborServices } from '../../electron/connect/harbor-services';
import { Connect, type ConnectOptions } from '../../electron/connect/install';
import { stdioCommand } from '../../electron/connect/transport';
import {
  type ClientChoice,
  type ConnectState,
  type ConnectView,
  profileNamed,
} from '../../electron/contract/clients';

export const NAME = 'claude-desktop';

/** The home of the user; where the records and backups are kept; the program's file. */
export const root = mkdtempSync(join(tmpdir(), 'connect-'));
export const folder = join(root, 'data', 'connect');
export const config = join(root, '.config', 'Claude', 'claude_desktop_config.json');

/** For each file that connects: its tests begin with an empty home. */
export function newForEachTest(): void {
  beforeEach(() => void mkdirSync(root, { recursive: true }));
  afterEach(() => rmSync(root, { recursive: true }));
}

export function connect(changes: Partial<ConnectOptions> = {}): Connect {
  return new Connect({
    folder,
    version: '0.0.0',
    locks: join(root, 'locks'),
    harbor: alone(),
    environment: { platform: 'linux', home: root, env: {} },
    stdioCommand: (client) =>
      stdioCommand({ kind: 'clone', node: '/usr/bin/node', folder: '/src/harbor' }, client),
    ...changes,
  });
}

/** A harbor of which only what connecting asks is there; tokens are in force as long as nobody takes them out. */
export function alone(
  address: string | null = 'http://127.0.0.1:4617/mcp',
): HarborServices & { inForce: Map<string, string> } {
  const inForce = new Map<string, string>();
  const chosen = new Map<string, ClientChoice>();
  const of = (client: string) => chosen.get(client) ?? { profile: null, engine: null, scopes: null };
  return {
    inForce,
    require: () => undefined,
    address: () => address,
    tokens: {
      isInForce: (token, client) => inForce.get(client) === token,
      draft: (client) => {
        const token = `lh_${randomBytes(32).toString('base64url')}`;
        return { token, put: async () => void inForce.set(client, token) };
      },
      revoke: async (token) => {
        for (const [client, known] of inForce) if (known === token) inForce.delete(client);
      },
    },
    choices: {
      of,
      check: ({ profile }) => void (profile && profileNamed(profile)),
      choose: (client, { profile, engine, scopes }) =>
        void chosen.set(client, {
          profile: profile === undefined ? of(client).profile : profile,
          engine: engine === undefined ? of(client).engine : engine,
          scopes: scopes === undefined ? of(client).scopes : scopes,
        }),
    },
  };
}

export function write(text: string, file = config): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export async function viewed(connector = connect()): Promise<ConnectView> {
  const view = (await connector.list()).find((candidate) => candidate.name === NAME);
  if (!view) throw new Error(`${NAME} is not listed`);
  return view;
}

export async function state(connector?: Connect): Promise<ConnectState> {
  return (await viewed(connector)).state;
}

export function entry(file = config): unknown {
  return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')).mcpServers?.lisp;
}

/** Everything in the folders of the program and of the data: names and bytes. */
export function everything(): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('locks'))
    .map((name) => join(root, name));
  return Object.fromEntries(
    names.sort().map((name) => [name, statSync(name).isFile() ? readFileSync(name, 'latin1') : 'folder']),
  );
}

/** Runs work that must be refused with this code, and must leave all bytes, names and the config's times; answers the message. */
export async function refused(code: string, work: () => Promise<unknown>): Promise<string> {
  const before = everything();
  const times = stamp();
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'HarborError', code });
  expect(everything()).toEqual(before);
  expect(stamp()).toEqual(times);
  return (error as Error).message;
}

/** Changes with every write and every replacement of the file. */
export function stamp(): unknown {
  const status = statSync(config, { bigint: true, throwIfNoEntry: false });
  return status && [status.mtimeNs, status.ino];
}
