/** What a release has for places where people look for MCP servers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { setupModule } from './setup-checkout';

const PUBLISHER = { name: 'Somebody', homepage: 'https://lisp.example.org/harbor' };

interface Registries {
  pluginFiles(version: string, publisher: typeof PUBLISHER): Map<string, string>;
  registryEntry(version: string, publisher: typeof PUBLISHER): string;
}

let registries: Registries;
beforeAll(async () => {
  registries = await setupModule<Registries>('registries');
});

/** What the registry's schema of 2025-12-11 asks of a server, as far as our entry has it. */
const ServerEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  // Ranges are rejected.
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/),
  websiteUrl: z.url(),
});

const Plugin = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  description: z.string().min(1),
  version: z.string(),
  author: z.strictObject({ name: z.string().min(1), url: z.url() }),
  homepage: z.url(),
  license: z.literal('MIT'),
});

const Marketplace = z.strictObject({
  name: z.string(),
  owner: z.strictObject({ name: z.string().min(1) }),
  plugins: z.tuple([
    z.strictObject({ name: z.string(), description: z.string(), source: z.string().startsWith('./') }),
  ]),
});

it('has an entry that the registry of MCP servers takes', () => {
  const entry = ServerEntry.parse(JSON.parse(registries.registryEntry('1.2.3-beta.1', PUBLISHER)));
  expect([entry.name, entry.version]).toEqual(['org.example.lisp/lisp-harbor', '1.2.3-beta.1']);
});

describe('the plugin of Claude Code', () => {
  const read = (file: string) => JSON.parse(registries.pluginFiles('1.2.3', PUBLISHER).get(file) ?? 'null');

  it('is in a marketplace of its own', () => {
    const { plugins } = Marketplace.parse(read('.claude-plugin/marketplace.json'));
    const [{ name, source }] = plugins;
    const plugin = Plugin.parse(read(`${source.slice(2)}/.claude-plugin/plugin.json`));
    expect([plugin.name, plugin.version]).toEqual([name, '1.2.3']);
  });

  it('starts the installed app as any client does', () => {
    expect(read('lisp-harbor/.mcp.json')).toEqual({
      mcpServers: { lisp: { command: 'lisp-harbor', args: ['--mcp-stdio', '--client', 'claude-code'] } },
    });
  });
});
