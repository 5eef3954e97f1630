/** What a prover tells, cut to what a result may carry. */
import { expect, it } from 'vitest';
import type { BookReport, EventReport } from '../../electron/contract/proof';

import { Allowance } from '../../electron/tools/allowance';
import { fittingProof } from '../../electron/tools/prover/proof-result';
import { wireData } from '../../electron/tools/wire-data';

const FAILED: EventReport = {
  form: 0,
  operator: 'THM',
  verdict: 'failed',
  command: 0,
  events: [],
  eventCount: 0,
  figures: null,
  checkpoints: null,
  suggestions: [
    { kind: 'lemma', text: 'short', goal: 'Goal', form: '(defthm short (p x))' },
    { kind: 'lemma', text: 'long', goal: 'Goal', form: `(defthm long (p '${'x'.repeat(500)}))` },
  ],
  issues: [],
};

it('has whole forms in suggestions, or none', () => {
  const fitting = fittingProof({ events: [FAILED], issues: [], command: 0 }, 100, new Allowance(10_000));
  expect(fitting.events[0]?.suggestions?.map(({ form }) => form)).toEqual(['(defthm short (p x))', null]);
});

it('has suggestions where checkpoints take all the rest', () => {
  const goal = { goal: 'Goal', text: 'x'.repeat(90), form: 'x'.repeat(90), pushed: null };
  const checkpoints = {
    top: [],
    induction: Array.from({ length: 20 }, () => goal),
    reverted: [],
    gaveUp: null,
  };
  const allowance = new Allowance(600);
  const failed = { ...FAILED, checkpoints };
  const fitting = fittingProof({ events: [failed], issues: [], command: 0 }, 100, allowance);
  expect(fitting.events[0]?.suggestions?.length).toBe(2);
  expect(fitting.events[0]?.checkpoints?.induction.length).toBeLessThan(20);
});

it('has as many suggestions as there is room for', () => {
  const allowance = new Allowance(60);
  const fitting = fittingProof({ events: [FAILED], issues: [], command: 0 }, 100, allowance);
  expect(fitting.events[0]?.suggestions?.length).toBeLessThan(2);
  expect(allowance.exceeded).toBe(true);
});

it('has each of few books, of many those without a certificate and how many there are, and never what one printed', () => {
  const books = (count: number): BookReport[] =>
    Array.from({ length: count }, (_, place) => ({ book: `b${place}`, includes: [], state: 'certified' }));
  const failed: BookReport = {
    book: 'bad',
    includes: ['b0'],
    state: 'failed',
    startedAt: 1,
    durationMs: 2,
    because: 'why',
    log: 'printed',
  };
  const told = (all: BookReport[]): unknown => {
    const certification = { book: '/bad', certificate: null, books: all };
    const proof = fittingProof(
      { events: [], issues: [], command: null, certification },
      100,
      new Allowance(100_000),
    );
    return wireData({ report: { loaded: [], failures: [], runs: [], proof } }).report;
  };
  const brief = { book: 'bad', state: 'failed', includes: ['b0'], because: 'why', ms: 2 };
  expect(told([...books(1), failed])).toMatchObject({
    proof: { certification: { books: [{ book: 'b0', state: 'certified' }, brief] } },
  });
  expect(told([...books(60), failed])).toEqual({
    proof: {
      events: [],
      issues: [],
      command: null,
      certification: { book: '/bad', certificate: null, books: [brief], book_count: 61 },
    },
  });
});
