import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { expect, it, onTestFinished } from 'vitest';
import { History } from '../../electron/history/history';
import { temporaryFolder } from '../unit/history-folder';

const root = path.resolve(import.meta.dirname, '../..');

/** The writer as a program of its own; bare imports find this repository's packages through a link. */
async function bundledWriter(folder: string): Promise<string> {
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: path.join(import.meta.dirname, 'history-writer.ts'),
      outDir: folder,
      emptyOutDir: false,
      target: 'node24',
      rollupOptions: { output: { entryFileNames: 'writer.mjs' } },
    },
  });
  return path.join(folder, 'writer.mjs');
}

async function startWriter(program: string, file: string): Promise<ChildProcess> {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const writer = spawn(process.execPath, [program, file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void writer.kill('SIGKILL'));
  await once(writer.stdout, 'data');
  return writer;
}

it('is whole after its writer was killed; what was open is closed as crashed', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'history.db');
  const writer = await startWriter(await bundledWriter(folder), file);
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  expect(existsSync(`${file}-wal`)).toBe(true);

  const history = new History(file, pathToFileURL('unused.js'));
  onTestFinished(() => history.close());
  const { evaluations } = history;
  const { database } = history.writer;
  expect(history.notices).toEqual([]);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(evaluations.find(1)).toMatchObject({
    code: '(left-open)',
    outcome: 'crashed',
    stdout: 'printed before the end',
    notes: [{ text: expect.stringContaining('The harbor ended') }],
  });
  expect(evaluations.page({ outcome: 'running', limit: 1 }).rows).toEqual([]);
  const written = Number(
    database.prepare(`select count(*) from evaluations where outcome = 'ok'`).pluck().get(),
  );
  expect(written).toBeGreaterThanOrEqual(300);
  expect(evaluations.find(301)).toMatchObject({
    code: '(written 300)',
    outcome: 'ok',
    stdout: '300\n'.repeat(500),
  });
  expect(evaluations.page({ query: '(written 300)', limit: 5 }).rows.map(({ id }) => id)).toEqual([301]);
  expect(database.prepare('select ended_at is not null from sessions').pluck().all()).toEqual([1]);
});
