/** What the log of a session says: a sentence for each thing that became of it, and nothing twice. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Evaluation } from '../../electron/contract/model';
import { note } from '../../electron/contract/note';
import { lastLogLines } from '../../electron/host/log-lines';
import { evaluationHappening, happenings, type Seen } from '../../electron/sessions/session-logs';

const IDLE: Seen = {
  ...{
    engine: 'sbcl',
    client: 'ada',
    state: 'idle',
    generation: 1,
    pid: 7,
    lostBecause: null,
    stopping: null,
  },
  sandbox: { confined: true, launcher: 'bubblewrap' },
  limits: { heapMiB: 2048, cpuSeconds: null, outputChars: null },
  comesBack: { checkpoint: 'calm', definitions: true },
};
const texts = (before: Seen | null, now: Partial<Seen>) =>
  happenings(before, { ...IDLE, ...now }).map(({ level, text }) => `${level} ${text}`);

it('tells how a session began, and how its image is confined', () => {
  expect(texts(null, {})).toEqual([
    'info A session of sbcl for ada was opened.',
    'info Its image is confined by bubblewrap, pid 7, heap 2048 MiB.',
  ]);
  expect(texts(null, { generation: 3 })[0]).toBe(
    'info The session of ada woke with image 3, with checkpoint calm.',
  );
  expect(texts(IDLE, {})).toEqual([]);
  expect(texts(IDLE, { state: 'running' })).toEqual([]);
});

it('tells of each image that is lost, and of the one that takes over', () => {
  const lost: Seen = { ...IDLE, state: 'lost', lostBecause: 'it was killed by SIGKILL', pid: null };
  expect(texts(IDLE, lost)).toEqual(['warn The image is gone because it was killed by SIGKILL.']);
  expect(texts(lost, lost)).toEqual([]);
  expect(texts(lost, { generation: 2, pid: 8 })).toEqual([
    'info Image 2 replaced it, with checkpoint calm.',
    'info Its image is confined by bubblewrap, pid 8, heap 2048 MiB.',
  ]);
  const early: Seen = { ...IDLE, generation: 2, pid: null };
  expect(texts(lost, early)[1]).toBe('info Its image is confined by bubblewrap, heap 2048 MiB.');
  expect(texts(early, { generation: 2, pid: 8 })).toEqual(['info Its process has pid 8.']);
});

it('tells of each step in which something is stopped, and of what did not end well', () => {
  const stopping = (step: NonNullable<Seen['stopping']>['step']) => ({ stopping: { evaluation: 4, step } });
  expect(texts(IDLE, stopping('cooperative'))).toEqual(['info Evaluation 4 is interrupted.']);
  expect(texts({ ...IDLE, ...stopping('cooperative') }, stopping('cooperative'))).toEqual([]);
  expect(texts({ ...IDLE, ...stopping('cooperative') }, stopping('end'))).toEqual([
    'warn Evaluation 4 did not stop; its image is ended.',
  ]);
  const row = (outcome: Evaluation['outcome']) =>
    evaluationHappening({
      id: 4,
      client: 'ada',
      outcome,
      condition: null,
      notes: [note('refused', 'The reason.')],
    } as unknown as Evaluation);
  expect(row('refused')).toEqual([{ level: 'warn', text: 'Evaluation 4 of ada was refused. The reason.' }]);
  expect(row('crashed')[0]?.level).toBe('error');
  expect([row('ok'), row('error')]).toEqual([[], []]);
});

it('is read back from the newest files, whole lines only', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const line = (day: number, message: string, level = 'info') =>
    `${JSON.stringify({ at: `2026-01-0${day}T10:00:00.000Z`, level, message })}\n`;
  writeFileSync(`${folder}/harbor-2026-01-01.log`, line(1, 'one') + line(1, 'two', 'warn'));
  writeFileSync(`${folder}/harbor-2026-01-02.log`, `${line(2, 'three', 'odd')}{"at":"2026-01-02T10`);
  writeFileSync(`${folder}/other.txt`, 'no log');
  const all = await lastLogLines(folder, 10);
  expect(all.lines.map(({ level, text }) => `${level} ${text}`)).toEqual([
    'info one',
    'warn two',
    'info three',
  ]);
  expect(all.whole).toBe(true);
  expect(all.lines[2]?.at).toBe(Date.parse('2026-01-02T10:00:00.000Z'));
  const cut = await lastLogLines(folder, 1);
  expect([cut.lines.map(({ text }) => text), cut.whole]).toEqual([['three'], false]);
  expect(await lastLogLines(`${folder}/none`, 5)).toEqual({
    folder: `${folder}/none`,
    lines: [],
    whole: true,
  });
});
