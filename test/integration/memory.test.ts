/** Memory that runs short: told to whoever could end a session, and a start is refused only when it must fail. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { sessionsFixture } from './sessions-fixture';

interface Told {
  session: string;
  notes: string[];
  memory: { short: boolean; ready_images: number };
}

it('is told by images and open_session, with the sessions of the caller and of nobody else', async () => {
  const data = temporaryFolder('data');
  // More than any machine has.
  writeFileSync(path.join(data, 'settings.json'), '{"memoryReserveMiB": 1048576}');
  const harbor = await StartedHarbor.start({ data });
  onTestFinished(async () => {
    await harbor.stop();
    rmSync(data, { recursive: true });
  });
  const [client, other] = [await harbor.client(), await harbor.otherClient('other')];
  const foreign = (await call<Told>(other, 'open_session', { engine: 'sbcl' })).structured.session;
  const first = (await call<Told>(client, 'open_session', { engine: 'sbcl' })).structured.session;
  const { structured, text, isError } = await call<Told>(client, 'open_session', { engine: 'sbcl' });
  expect(isError).toBe(false);
  const note = structured.notes.join();
  expect(note).toMatch(/^Memory is short: \d+ MiB are available\. Your largest sessions: /);
  expect(note).toContain(first);
  expect(note).not.toContain(foreign);
  expect(text).toContain(note);
  const images = await call<Told>(client, 'images');
  expect(images.structured.memory).toMatchObject({ short: true, ready_images: 0 });
  expect(images.structured.notes.join()).toContain('`close_session` ends one');
  expect(images.text).toContain(images.structured.notes.join());
});

it('refuses to open what could not start, ends nothing, and opens again when there is room', async () => {
  const machine = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-memory-'));
  onTestFinished(() => rmSync(machine, { recursive: true }));
  mkdirSync(`${machine}/proc`);
  const available = (kilobytes: number) =>
    writeFileSync(`${machine}/proc/meminfo`, `MemTotal: 8388608 kB\nMemAvailable: ${kilobytes} kB\n`);
  available(4_000_000);
  const { open, sessions } = sessionsFixture({ machine });
  const session = await open();
  available(10_000);
  await expect(open()).rejects.toMatchObject({ code: 'memory_short' });
  expect(session.state).toBe('idle');
  expect(sessions.load.sessions).toBe(1);
  available(4_000_000);
  await open();
});
