/** Builds an `.mcpb`, the extension that Claude Desktop installs when the file is opened. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { type StdioCommand, shellLine } from './transport';

/** The manifest data. */
interface Facts {
  version: string;
  platform: NodeJS.Platform;
  command: StdioCommand;
}

/**
 * Builds and validates the bundle with Anthropic’s own tool. The bundle runs the same command as a
 * configuration entry and contains no harbor.
 * @throws HarborError `internal` if the manifest is invalid
 */
export async function buildBundle(facts: Facts): Promise<Buffer> {
  // Loaded on demand, because it depends on prompts and signing libraries.
  const { packExtension } = await import('@anthropic-ai/mcpb');
  const folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-mcpb-'));
  try {
    const content = path.join(folder, 'content');
    await mkdir(path.join(content, 'server'), { recursive: true });
    const entry = facts.platform === 'win32' ? 'server/lisp-harbor.cmd' : 'server/lisp-harbor';
    await writeFile(
      path.join(content, 'manifest.json'),
      `${JSON.stringify(manifest(facts, entry), null, 2)}\n`,
    );
    await writeFile(path.join(content, entry), launcher(facts), { mode: 0o755 });
    const outputPath = path.join(folder, 'lisp-harbor.mcpb');
    if (!(await packExtension({ extensionPath: content, outputPath, silent: true })))
      throw new HarborError('internal', 'The bundle could not be built: its manifest was rejected.');
    return await readFile(outputPath);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function manifest({ version, platform, command: { command, args, env } }: Facts, entry: string): object {
  return {
    manifest_version: '0.3',
    name: 'lisp-harbor',
    display_name: 'Lisp Harbor',
    version,
    description:
      'Live, sandboxed Lisp images: evaluates, loads, tests and debugs Common Lisp, ACL2 and Clojure.',
    author: { name: 'Lisp Harbor' },
    license: 'MIT',
    // The harbor is installed on this machine. It is started if it does not run.
    server: { type: 'binary', entry_point: entry, mcp_config: { command, args: [...args], env: { ...env } } },
    tools_generated: true,
    compatibility: { platforms: [platform] },
  };
}

/** Returns the entry point for a program that executes it directly. */
function launcher({ platform, command: { command, args } }: Facts): string {
  const line = shellLine([command, ...args], platform);
  return platform === 'win32' ? `@${line}\r\n` : `#!/bin/sh\nexec ${line}\n`;
}
