/** The app where the kernel refuses user namespaces to bubblewrap: sessions are confined by Landlock. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { PATIENT, ROOT, StartedHarbor } from '../started-harbor';

/**
 * Runs in a user namespace that allows no nested one, which is how systems refuse them; the program remains
 * the same process.
 */
const WITHOUT_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
const COMMAND = [
  ...['unshare', '--user', '--map-root-user', 'sh', '-c', WITHOUT_NAMESPACES, 'sh'],
  ...[process.execPath, path.join(ROOT, 'out/electron/serve.js')],
] as unknown as readonly [string, ...string[]];

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ command: COMMAND });
  client = await harbor.client();
}, 60_000);

afterAll(() => harbor.stop());

it('tells what confines its images, what it does not hold, why it is not bubblewrap, and what to do', async () => {
  const { structured, text } = await call<{ sandbox: string; notes: string[] }>(client, 'images');
  expect(structured.sandbox).toMatch(/^confined by landlock; names of files and processes are visible/);
  const [note] = structured.notes;
  expect(note).toMatch(/bubblewrap does not work here \(bwrap: .*namespace.*\)/);
  expect(note).toContain('apparmor_parser -r');
  expect(text).toContain(note);
});

it('evaluates, and no result says that it is not sandboxed', async () => {
  const { structured, text } = await evaluate(client, '(defvar *n* 41) (1+ *n*)');
  expect(structured).toMatchObject({ outcome: 'ok', values: ['42'], notes: [] });
  expect(text).not.toContain('not sandboxed');
  writeFileSync(path.join(harbor.project, 'file'), 'mine');
  expect(await values(client, '(with-open-file (s "file") (read-line s))')).toEqual(['"mine"', 'T']);
  for (const secret of [path.join(harbor.data, 'bridge.secret'), '/etc/passwd'])
    expect((await evaluate(client, `(with-open-file (s "${secret}") (read-line s))`)).isError).toBe(true);
  const program = '(sb-ext:process-exit-code (sb-ext:run-program "/bin/cat" (list "/etc/passwd")))';
  expect(await values(client, program)).toEqual(['1']);
});

it('saves a checkpoint, and goes back to it and on from it', async () => {
  await evaluate(client, '(defvar *kept* (list 1 2 3))');
  const saved = await call(client, 'checkpoint', { action: 'save', name: 'here' });
  expect(saved.isError, saved.text).toBe(false);
  await evaluate(client, '(setf *kept* nil)');
  const restored = await call(client, 'checkpoint', { action: 'restore', name: 'here' });
  expect(restored.isError, restored.text).toBe(false);
  expect(await values(client, '*kept*')).toEqual(['(1 2 3)']);
  const opened = await call<{ session: string; sandbox: string }>(client, 'open_session', {
    checkpoint: 'here',
  });
  expect(opened.structured.sandbox).toBe('confined by landlock');
  const { session } = opened.structured;
  expect(await values(client, '(length *kept*)', { session })).toEqual(['3']);
  const outside = await evaluate(client, '(with-open-file (s "/etc/passwd") (read-line s))', { session });
  expect(outside.isError).toBe(true);
}, 90_000);

it('interrupts what is cancelled, with its state', async () => {
  const { structured } = await evaluate(client, '(loop (sleep 0.1))', { wait_ms: 0 });
  const cancelled = await call(client, 'job', { job: structured.job, action: 'cancel' });
  expect(cancelled.text).toContain('interrupted');
  expect(await values(client, '*n*')).toEqual(['41']);
});

it('ends its images when it is killed, whatever they do', async () => {
  const other = await StartedHarbor.start({ command: COMMAND });
  const caller = await other.client();
  const { session } = (await call<{ session: string }>(caller, 'open_session', { engine: 'nbb' })).structured;
  const listed = await call<{ sessions: { pid: number }[] }>(caller, 'images', { session });
  const pid = listed.structured.sessions[0]?.pid;
  expect(existsSync(`/proc/${pid}/fd/1`)).toBe(true);
  await evaluate(caller, '(loop [] (Thread/sleep 100) (recur))', { session, wait_ms: 0 });
  other.child.kill('SIGKILL');
  await expect.poll(() => existsSync(`/proc/${pid}/fd/1`), PATIENT).toBe(false);
  await other.stop();
});
