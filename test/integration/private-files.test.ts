/** Every file and folder of the app is closed to other users of the computer, from its creation or from the next start. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call, evaluate } from '../evaluation';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

/** The paths that the group or others can open. What images write in their own folders is theirs. */
function openIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    const mine = entry.isSymbolicLink() || (lstatSync(at).mode & 0o077) === 0 ? [] : [at];
    return [...mine, ...(entry.isDirectory() && entry.name !== 'home' ? openIn(at) : [])];
  });
}

it('is private, also where it was not before', async () => {
  const data = temporaryFolder('open-data');
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  mkdirSync(path.join(data, 'log'), { mode: 0o755 });
  for (const name of ['settings.json', 'history-index.db', 'log/old.log'])
    writeFileSync(path.join(data, name), '');
  writeFileSync(path.join(data, 'settings.json'), '{"keepReady": false}');
  chmodSync(data, 0o755);
  const harbor = await StartedHarbor.start({ data });
  const client = await harbor.client();
  expect((await evaluate(client, '(defvar *kept* 1)')).isError).toBe(false);
  expect((await call(client, 'checkpoint', { action: 'save', name: 'one' })).isError).toBe(false);
  expect((await call(client, 'open_session', { engine: 'clojure' })).isError).toBe(false);
  const files = readdirSync(data);
  for (const name of ['history.db', 'history-index.db', 'sessions', 'checkpoints', 'bridge.secret'])
    expect(files).toContain(name);
  expect(lstatSync(data).mode & 0o777).toBe(0o700);
  expect(openIn(data)).toEqual([]);
  await harbor.stop();
  expect(openIn(data)).toEqual([]);
  const logs = readdirSync(path.join(data, 'log')).map((name) =>
    readFileSync(path.join(data, 'log', name), 'utf8'),
  );
  expect(logs.join('')).toContain(`Other users of this computer had access to ${data}`);
});
