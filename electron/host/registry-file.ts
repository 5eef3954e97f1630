/**
 * The file by which other programs of this user find a harbor that runs, beside its socket: `<hash>.json`, one for each data
 * folder. It holds no secret: by the address a program needs a token, and the command brings its own.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startTimeOf } from './lock-holder';
import { makePrivateFolder } from './private-folder';

export interface RegistryEntry {
  /** Of Lisp Harbor. */
  version: string;
  kind: 'app' | 'headless';
  dataFolder: string;
  /** Address of `/mcp`; null while it does not listen. */
  mcp: string | null;
  https: string | null;
  /** What speaks MCP over stdin and stdout, without a token. */
  stdio: { command: string; args: readonly string[]; env: Readonly<Record<string, string>> };
}

/** Whole or not at all. With the process and its start time, by which a reader knows whether it still runs.
 * @throws the system's error */
export function writeRegistry(file: string, entry: RegistryEntry): void {
  makePrivateFolder(path.dirname(file));
  const { pid } = process;
  const draft = `${file}.${pid}`;
  const content = { format: 1, ...entry, pid, startTime: startTimeOf(pid) };
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export function removeRegistry(file: string): void {
  rmSync(file, { force: true });
}
