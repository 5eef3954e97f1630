/** What a result tells of several forms, of much output and of terminal codes, by both ways in. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call, evaluate } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
}, 60_000);

afterAll(() => harbor.stop());

async function open(client: Client, engine: string): Promise<string> {
  return (await call<{ session: string }>(client, 'open_session', { engine })).structured.session;
}

const RED = '\u001b[31mred\u001b[0m';

describe.each(sampled('result-text', WAYS, 1))('a result over %s', (way) => {
  it.each([
    ['sbcl', '(+ 1 1) (values 2 3) (error "third") (print :never)'],
    ['nbb', '(+ 1 1) (list 2 3) (throw (ex-info "third" {})) (prn :never)'],
    ['clojure', '(+ 1 1) (list 2 3) (throw (ex-info "third" {})) (prn :never)'],
  ])('has the values of the forms before the error in %s', { timeout: 60_000 }, async (engine, code) => {
    const client = await harbor.over(way);
    const session = await open(client, engine);
    const { structured, text, isError } = await evaluate(client, code, { session });
    expect(isError).toBe(true);
    expect(structured.outcome).toBe('error');
    expect(structured.forms.map(({ values }) => values)).toEqual([
      ['2'],
      engine === 'sbcl' ? ['2', '3'] : ['(2 3)'],
    ]);
    expect(structured.condition?.message).toContain('third');
    expect(text).toContain('1. (+ 1 1)\n=> 2\n2. ');
    expect(text).toContain('third');
    expect(structured.stdout).toBe('');
  });

  it('leaves out the middle of much output, and names where all of it is', async () => {
    const client = await harbor.over(way);
    const session = await open(client, 'sbcl');
    const code = '(dotimes (n 20000) (format t "line ~5,\'0d~%" n))';
    const { structured, text } = await evaluate(client, code, { session });
    const whole = Array.from({ length: 20_000 }, (_, n) => `line ${String(n).padStart(5, '0')}\n`).join('');
    expect(structured.truncated).toBe(true);
    expect(structured.stdout).toMatch(/^line 00000\n[\s\S]*\n… \d+ characters …\n[\s\S]*line 19999\n$/);
    expect(structured.stdout.length).toBeLessThan(21_000);
    expect(text).toContain(structured.stdout.trimEnd());
    const handle = /`job` (job-\d+) with action output/.exec(structured.notes.join(' '))?.[1];
    let paged = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const page: { output: string; next_offset: number | null } = (
        await call<{ output: string; next_offset: number | null }>(client, 'job', {
          job: handle,
          action: 'output',
          offset,
        })
      ).structured;
      paged += page.output;
      offset = page.next_offset;
    }
    expect(paged).toBe(whole);
  });

  it('has no terminal codes in its text; data and history keep them', async () => {
    const client = await harbor.over(way);
    const session = await open(client, 'nbb');
    const code = `(do (println "${RED}") "${RED}\u0007")`;
    const { structured, text } = await evaluate(client, code, { session });
    expect(text).toContain('[stdout]\nred\n');
    expect(text).not.toContain('\u001b');
    expect(structured.stdout).toBe(`${RED}\n`);
    const { structured: kept, text: shown } = await call<{ evaluation: EvaluationRecord }>(
      client,
      'history',
      { id: structured.id },
    );
    expect(kept.evaluation.stdout).toBe(`${RED}\n`);
    expect(shown).not.toContain('\u001b');
    for (const uri of [`lisp://history/${structured.id}`, `lisp://session/${session}/transcript`]) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents)).not.toMatch(/\\u001b/);
    }
  });
});
