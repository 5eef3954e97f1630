/** The published conformance suite of MCP, run against a server that this test has started, and what it found. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT, temporaryFolder } from '../started-harbor';

/** Which scenarios run: the older suite's own set, or what one revision of the protocol requires, and its extensions. */
export const RUNS = {
  'suite 0.1.16': { suite: 'conformance-2025', args: [] },
  'revision 2025-11-25': { suite: 'conformance-2026', args: ['--requirements', '2025-11-25'] },
  'revision 2026-07-28': { suite: 'conformance-2026', args: ['--requirements', '2026-07-28'] },
} as const;
export type Run = keyof typeof RUNS;

/** One thing that a scenario looked at. */
export interface Check {
  scenario: string;
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** Everything that the run has checked. @throws Error when the suite itself could not run */
export async function runSuite(run: Run, server: { url: string; token: string }): Promise<Check[]> {
  const { suite, args } = RUNS[run];
  const results = temporaryFolder('conformance');
  const entry = path.join(ROOT, 'node_modules', suite, 'dist/index.js');
  const preloads = ['plain-arguments.ts', 'conformance/with-token.ts'].flatMap((file) => [
    '--import',
    path.join(ROOT, 'test', file),
  ]);
  const child = spawn(
    process.execPath,
    [...preloads, entry, 'server', '--url', server.url, ...args, '-o', results],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', MCP_TOKEN: server.token },
    },
  );
  const [told] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  try {
    if (!told.includes('=== SUMMARY ===')) throw new Error(`The suite did not come to its end:\n${told}`);
    return readdirSync(results).flatMap((folder) => readChecks(results, folder));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** A scenario's folder is named `server-<scenario>-<time>`. */
function readChecks(results: string, folder: string): Check[] {
  const scenario = folder.replace(/^server-(.*)-\d{4}-\d\d-\d\dT[\w-]*$/, '$1');
  const checks = JSON.parse(readFileSync(path.join(results, folder, 'checks.json'), 'utf8')) as Check[];
  return checks.map((check) => ({ ...check, scenario }));
}

/** What failed, as `scenario:check`, each once. */
export function failures(checks: readonly Check[]): string[] {
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  return [...new Set(failed.map(({ scenario, id }) => `${scenario}:${id}`))].sort();
}
