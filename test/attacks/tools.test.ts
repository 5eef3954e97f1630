/**
 * A hostile agent calls the tools of the running app: with paths that lead outside, and, where evaluation and
 * loading are denied, with code that runs when Lisp reads it in every text argument. Decoys show from outside
 * whether it succeeds.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sampled } from '../rounds';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { KEPT, type Place } from './attack';
import { HOSTILE_PATHS, makeLinks } from './paths';
import { type Decoys, placeDecoys } from './place';

const PROFILES = ['default', 'acl2', 'cl-mcp-server', 'lisp-mcp-server', 'lisply', 'nrepl'] as const;
type ProfileName = (typeof PROFILES)[number];

type Arguments = Record<string, unknown>;

/** Tools that take a path, with their other arguments. */
const FILE_TOOLS: readonly (readonly [ProfileName, string, (file: string) => Arguments])[] = [
  ['default', 'read_file', (file) => ({ path: file })],
  ['default', 'write_file', (file) => ({ path: file, content: '(decoy)' })],
  [
    'default',
    'edit_form',
    (file) => ({
      path: file,
      operation: 'insert_before',
      form_type: 'defun',
      form_name: 'f',
      content: '(decoy)',
    }),
  ],
  ['default', 'find', (file) => ({ query: KEPT.trim().slice(0, 8), kind: 'text', path: file })],
  ['default', 'load', (file) => ({ path: file })],
  ['default', 'run_tests', (file) => ({ path: file })],
  ['default', 'open_session', (file) => ({ engine: 'sbcl', project: path.dirname(file) })],
  ['lisp-mcp-server', 'fs-read-file', (file) => ({ path: file })],
  ['lisp-mcp-server', 'fs-write-file', (file) => ({ path: file, content: '(decoy)' })],
  ['lisp-mcp-server', 'fs-list-directory', (file) => ({ path: file })],
  ['lisp-mcp-server', 'fs-list-directory', (file) => ({ path: path.dirname(file) })],
  ['lisp-mcp-server', 'lisp-read-file', (file) => ({ path: file })],
  [
    'lisp-mcp-server',
    'lisp-edit-form',
    (file) => ({
      file_path: file,
      operation: 'replace',
      form_type: 'defun',
      form_name: 'f',
      content: '(decoy)',
    }),
  ],
  ['lisp-mcp-server', 'lisp-check-parens', (file) => ({ path: file })],
  ['lisp-mcp-server', 'code-ast-at', (file) => ({ path: file, line: 1 })],
  ['cl-mcp-server', 'load-file', (file) => ({ path: file })],
  ['acl2', 'load_file', (file) => ({ path: file })],
  ['acl2', 'acl2_include_book', (file) => ({ file_path: file })],
  ['acl2', 'acl2_certify_book', (file) => ({ book_path: file })],
];

const ends: (() => unknown)[] = [];
const atEnd = (end: () => unknown) => void ends.unshift(end);

afterAll(async () => {
  for (const end of ends) await end();
});

/** Clients of each profile. */
async function clientsOf(harbor: StartedHarbor): Promise<Map<ProfileName, Client>> {
  const clients = new Map<ProfileName, Client>();
  for (const profile of PROFILES) clients.set(profile, await harbor.client('legacy', { profile }));
  return clients;
}

function clientOf(clients: ReadonlyMap<ProfileName, Client>, profile: ProfileName): Client {
  const client = clients.get(profile);
  if (!client) throw new Error(`no client of ${profile}`);
  return client;
}

/** The text of the answer, whether it is a result or an error. */
async function said(client: Client, tool: string, args: Arguments): Promise<string> {
  try {
    const { text, structured } = await call(client, tool, args);
    return `${text} ${JSON.stringify(structured)}`;
  } catch (error) {
    return String(error);
  }
}

describe('paths that lead outside', () => {
  let clients: Map<ProfileName, Client>;
  let decoys: Decoys;
  let place: Place;
  let secret: string;

  beforeAll(async () => {
    const home = temporaryFolder('home');
    const harbor = await StartedHarbor.start({ env: { HOME: home } });
    atEnd(() => harbor.stop());
    const { data, project, ready } = harbor;
    decoys = await placeDecoys(1, atEnd, { home, data, project, harbor: ready.pid });
    place = decoys.place(0);
    makeLinks(place);
    secret = readFileSync(`${data}/bridge.secret`, 'utf8').trim();
    clients = await clientsOf(harbor);
  });

  it.each(FILE_TOOLS)('open nothing to %s: %s', async (profile, tool, args) => {
    for (const [why, file] of sampled(`paths for ${tool} of ${profile}`, HOSTILE_PATHS, 12)) {
      const text = await said(clientOf(clients, profile), tool, args(file(place)));
      expect(text.toLowerCase(), why).not.toContain(KEPT.trim());
      expect(text, why).not.toContain(secret);
      expect([why, decoys.untouched(0), decoys.changed()]).toEqual([why, true, []]);
    }
  });
});

describe('text that runs when it is read', () => {
  let harbor: StartedHarbor;
  let clients: Map<ProfileName, Client>;

  beforeAll(async () => {
    // Loading a file that was written would evaluate it.
    const approvals = ['evaluate', 'load'].map((denied) => ({ class: denied, answer: 'deny' }));
    harbor = await StartedHarbor.start({ settings: { approvals } });
    atEnd(() => harbor.stop());
    clients = await clientsOf(harbor);
  });

  it.each(sampled('profiles without evaluation', PROFILES, 3))(
    'runs by no tool of %s where nobody may evaluate or load',
    async (profile) => {
      const client = clientOf(clients, profile);
      const written = path.join(harbor.project, 'written');
      const hostile = `#.(close (open "${written}" :direction :output :if-exists :supersede))`;
      let tried = 0;
      for (const { name, inputSchema } of (await client.listTools()).tools) {
        const { properties = {}, required = [] } = inputSchema as Schema;
        for (const argument of Object.keys(properties).filter((each) => isText(properties[each]))) {
          const others = required.filter((each) => each !== argument);
          const args = Object.fromEntries(others.map((each) => [each, anyOf(properties[each])]));
          await said(client, name, { ...args, [argument]: hostile });
          expect([name, argument, existsSync(written)]).toEqual([name, argument, false]);
          tried += 1;
        }
      }
      expect(tried).toBeGreaterThan(0);
    },
  );
});

interface Schema {
  properties?: Record<string, Property>;
  required?: string[];
}

interface Property {
  type?: string;
  enum?: unknown[];
}

const isText = (property: Property | undefined) => property?.type === 'string' && property.enum === undefined;

/** A valid value for an argument that is not under test. */
function anyOf(property: Property | undefined): unknown {
  if (property?.enum) return property.enum[0];
  return property?.type === 'string' ? 'car' : 1;
}
