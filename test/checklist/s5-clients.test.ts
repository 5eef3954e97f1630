/** Programs for Lisp in the table of clients, and the instructions that every program gets. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ProfileName } from '../../electron/contract/clients';
import { elementsOf, formsIn } from '../../electron/source/reader';
import { stringRead } from '../../electron/source/s-expression';
import { MAX_INSTRUCTIONS, SAFETY } from '../../electron/tools/profile';
import { call, values } from '../evaluation';
import { ROOT, StartedHarbor, temporaryFolder } from '../started-harbor';

let harbor: StartedHarbor;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  home = temporaryFolder('clients-home');
  harbor = await StartedHarbor.start({ env: { HOME: home, XDG_CONFIG_HOME: undefined } });
  env = { PATH: String(process.env.PATH), HOME: home, ELECTRON_RUN_AS_NODE: '1' };
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await harbor.stop();
});

const clients = (...words: string[]) =>
  promisify(execFile)(
    process.execPath,
    [path.join(ROOT, 'out/electron/command-line.js'), 'clients', ...words, '--data', harbor.data],
    { env },
  );

/** The words of the command in an entry of Autolith: the texts in its transport. */
function autolithCommand(text: string): string[] {
  const [form = ''] = formsIn(text, 'common-lisp') ?? [];
  const texts = (each: string): string[] =>
    each.startsWith('"') ? [stringRead(each)] : (elementsOf(each, 'common-lisp') ?? []).flatMap(texts);
  const all = texts(form);
  return all.slice(all.indexOf('lisp') + 1);
}

const ECA = '// mine\n{\n  "mcpServers": {\n    "memory": { "command": "npx" }\n  }\n}\n';
const AUTOLITH =
  ';; mine\n(:version 1\n :servers\n ((:name "local" :transport (:type :stdio :command "/bin/x"))))\n';

it.each([
  [
    'eca',
    '.config/eca/config.json',
    ECA,
    (text: string) => {
      const { command, args } = JSON.parse(text.replace('// mine', '')).mcpServers.lisp;
      return [command, ...args];
    },
  ],
  ['autolith', '.config/autolith/mcp.sexp', AUTOLITH, autolithCommand],
] as const)('S5-20 connects %s, and takes the entry out again', async (name, place, before, commandIn) => {
  const file = path.join(home, place);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, before);
  await clients('add', name);
  const [command = '', ...args] = commandIn(readFileSync(file, 'utf8'));
  const client = new Client({ name, version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env }));
  onTestFinished(() => client.close());
  expect(await values(client, '(+ 1 2)')).toEqual(['3']);
  await clients('remove', name);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('S5-20 keeps agents from the folders that these programs obey', async () => {
  const client = await harbor.client();
  for (const file of ['.eca/config.json', '.autolith/init.lisp', '.autolith/mcp.sexp']) {
    const { isError, text } = await call(client, 'write_file', { path: file, content: '()' });
    expect([file, isError, text]).toEqual([file, true, expect.stringContaining('path_not_allowed')]);
  }
});

it.each(['legacy', 'modern'] as const)(
  'S5-21 sends short instructions with safety first, %s',
  async (era) => {
    for (const profile of ProfileName.options) {
      const client = await harbor.client(era, { profile });
      const instructions = client.getInstructions() ?? '';
      expect([profile, instructions.slice(0, SAFETY.length)]).toEqual([profile, SAFETY]);
      expect(instructions.length).toBeLessThan(MAX_INSTRUCTIONS);
    }
  },
);
