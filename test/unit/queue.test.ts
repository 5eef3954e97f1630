/** The turn of an evaluation that finds its session busy: whom its call waits for, and for how long. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Evaluation } from '../../electron/contract/model';
import { RunningEvaluation } from '../../electron/sessions/session/pending-evaluations';
import type { Session } from '../../electron/sessions/session/session';
import { TurnDeadlines } from '../../electron/tools/conversation-state';
import { queueOf, waitForTurn } from '../../electron/tools/evaluation/evaluation-answer';
import type { SeenHistory } from '../../electron/tools/viewer';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SOFT_LIMIT = 45_000;

/** A session in which evaluation 1 has run for so long, with one behind it; and its call. */
function busy(ranFor: number) {
  const [running, waiting] = [1, 2].map((id) => new RunningEvaluation({ id } as Evaluation));
  if (!running || !waiting) throw new Error('There are two.');
  running.start();
  vi.advanceTimersByTime(ranFor);
  const session = { before: () => [1], running } as unknown as Session;
  const awaited = new TurnDeadlines();
  const { signal } = new AbortController();
  const asked = performance.now();
  const left = () =>
    waitForTurn(waiting, session, { deadlines: awaited, signal }, SOFT_LIMIT).then((milliseconds) => ({
      milliseconds,
      after: performance.now() - asked,
    }));
  return { waiting, awaited, left };
}

it('is not waited for behind what has run for a while', async () => {
  const left = busy(5_000).left();
  await vi.runAllTimersAsync();
  expect(await left).toEqual({ milliseconds: 0, after: 0 });
});

it('is waited for a moment behind what has just begun', async () => {
  const left = busy(0).left();
  await vi.runAllTimersAsync();
  expect(await left).toEqual({ milliseconds: 0, after: 1_000 });
});

it('leaves what is left of the wait when it comes in that moment', async () => {
  const { waiting, left: begin } = busy(0);
  const left = begin();
  await vi.advanceTimersByTimeAsync(200);
  waiting.start();
  expect(await left).toEqual({ milliseconds: SOFT_LIMIT - 200, after: 200 });
});

it('is waited for behind another call of the same conversation for as long as that waits', async () => {
  const { awaited, left: begin } = busy(5_000);
  awaited.add(1, 30_000);
  const left = begin();
  await vi.runAllTimersAsync();
  expect(await left).toEqual({ milliseconds: 0, after: 30_000 });
});

/** What evaluation 9 waits behind, as its client is told. */
function told(before: number[], client: string, ownOnly = false): string | undefined {
  const running = new RunningEvaluation({ id: 7 } as Evaluation);
  running.start();
  vi.advanceTimersByTime(12_000);
  const rows = ['(sleep\n  25)', '(f)'].map((code, place) => ({
    id: 7 + place,
    code,
    client: 'codex',
    project: '/p',
  }));
  const find = (id: number) => rows.find((row) => row.id === id);
  const seen = { history: { evaluations: { find } }, ownOnly: () => ownOnly } as unknown as SeenHistory;
  const session = { before: () => before, pending: () => running } as unknown as Session;
  const evaluation = new RunningEvaluation({ id: 9 } as Evaluation);
  const caller = { client: { key: client, scopes: new Set<never>() }, project: '/p' };
  return queueOf(evaluation, session, caller, seen)?.text;
}

it('is told by what runs, whose that is and how long it has run', () => {
  expect(told([7], 'codex')).toBe('job-7 (sleep 25), running for 12 s');
  expect(told([7, 8], 'codex')).toBe('job-7 (sleep 25), running for 12 s and 1 more');
  expect(told([], 'codex')).toBe('the start of an image');
});

it('is told of somebody else’s only what the caller may see', () => {
  expect(told([7], 'window')).toBe('job-7 (sleep 25) of codex, running for 12 s');
  expect(told([7], 'window', true)).toBe('job-7 of another client, running for 12 s');
});
