/** Costs, profiles and memory as agents get them, through a started harbor. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Memory } from '../../electron/contract/model';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call, evaluate } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';
import { StdioLines } from '../stdio-client';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
  // Whoever comes first waits for the core to be built.
  await open('sbcl');
}, 120_000);
afterAll(() => harbor.stop());

const open = async (engine: string): Promise<string> =>
  (await call<{ session: string }>(client, 'open_session', { engine })).structured.session;

const FILLING =
  '(defun fill-up (n) (let ((all nil)) (dotimes (i n (length all)) (push (make-array 100) all))))';

const wholeRow = async (id: number) => call<{ evaluation: EvaluationRecord }>(client, 'history', { id });

describe('the cost of an evaluation', () => {
  it('is in the data and the history, and in the text when it took long', async () => {
    const { structured, text } = await evaluate(client, `${FILLING} (fill-up 100000)`);
    const { cost } = structured;
    expect(cost?.bytes).toBeGreaterThan(100_000 * 100 * 8);
    const long = await evaluate(client, '(progn (sleep 0.2) (length (make-list 200000)))');
    expect(long.text).toMatch(/^=> 200000\n; \d{3,} ms · \d+ ms CPU · (?:\d+ ms GC · )?\d MiB allocated$/);
    expect(text).not.toContain('; cost');
    expect((await wholeRow(structured.id)).structured.evaluation.cost).toEqual(cost);
  });

  it('is left out where the engine does not know it', async () => {
    const { structured, text } = await evaluate(client, '(+ 1 2)', { session: await open('nbb') });
    expect(structured).not.toHaveProperty('cost');
    expect(text).not.toContain('cost');
  });
});

describe('a profile', () => {
  it('is a table in the text, stacks in the data, and all of it as text in the history', async () => {
    const { structured, text } = await evaluate(client, `${FILLING} (fill-up 300000)`, { profile: 'alloc' });
    const profile = structured.report?.profile;
    const row = profile?.functions.find(({ name }) => name === 'FILL-UP');
    expect(row?.total.percent).toBeGreaterThan(50);
    expect(text).toMatch(/\[profile: alloc\] \d+ samples\n +self +total +function\n/);
    expect(text).toMatch(new RegExp(` ${row?.total.samples} +${row?.total.percent} %   FILL-UP`));
    expect(text).not.toContain('FILL-UP;');
    const stacks = profile?.folded.split('\n') ?? [];
    for (const stack of stacks) expect(stack).toMatch(/^[^;].* \d+$/);
    const whole = await wholeRow(structured.id);
    for (const stack of stacks) expect(whole.text).toContain(`\n${stack}`);
    expect(whole.structured.evaluation.report?.profile).toEqual(profile);
  });

  it('works over stdio', async () => {
    const stdio = new StdioLines(harbor);
    await stdio.initialize();
    const code = `${FILLING} (fill-up 300000)`;
    const params = { name: 'eval', arguments: { code, profile: 'alloc' } };
    const { result } = await stdio.ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(result?.structuredContent).toMatchObject({ report: { profile: { mode: 'alloc' } } });
    await stdio.end();
  });

  it('with very many stacks is cut at whole lines, and what is cut is counted', async () => {
    const session = await open('sbcl');
    await evaluate(
      client,
      `(defmacro many () \`(progn ,@(loop for i below 400 collect
         \`(defun ,(intern (format nil "A-FUNCTION-WITH-A-RATHER-LONG-NAME-THAT-FILLS-A-LINE-~D" i)) ()
            (length (loop repeat 300 collect (make-array 200)))))))
       (many)`,
      { session },
    );
    const code = `(loop for i below 400
      sum (funcall (intern (format nil "A-FUNCTION-WITH-A-RATHER-LONG-NAME-THAT-FILLS-A-LINE-~D" i))))`;
    const { structured } = await evaluate(client, code, { session, profile: 'alloc' });
    const profile = structured.report?.profile;
    expect(profile?.omitted.stacks).toBeGreaterThan(0);
    expect(structured.truncated).toBe(true);
    const lines = profile?.folded.split('\n') ?? [];
    const told = lines.reduce((sum, line) => sum + Number(/ (\d+)$/.exec(line)?.[1]), 0);
    expect(told + (profile?.omitted.samples ?? 0)).toBe(profile?.samples);
    const { evaluation } = (await wholeRow(structured.id)).structured;
    expect(evaluation.report?.profile?.omitted).toEqual({ stacks: 0, samples: 0 });
  });

  it('of an engine that has no profiler is refused with what it offers', async () => {
    const refused = await evaluate(client, '(+ 1 2)', { session: await open('nbb'), profile: 'cpu' });
    expect(refused.text).toMatch(
      /^not_supported: A session of nbb does not offer `eval` with profile\. It offers `eval`/,
    );
  });
});

describe('the memory of a session', () => {
  it('is told by type beside the session, also while it evaluates', async () => {
    const session = await open('sbcl');
    const make = '(defstruct buoy name) (defvar *buoys* (loop repeat 50000 collect (make-buoy)))';
    // Objects in the newest page of a thread are not counted until a collection.
    await evaluate(client, `${make} (sb-ext:gc)`, { session });
    const running = await evaluate(client, '(loop (sleep 0.1))', { session, wait_ms: 1 });
    const { structured, text } = await call<{
      session_memory: Memory;
      sessions: { session: string; state: string }[];
    }>(client, 'images', { session });
    expect(structured.sessions).toMatchObject([{ session, state: 'running' }]);
    const buoys = structured.session_memory.types.find(({ name }) => name === 'BUOY');
    expect(buoys?.count).toBeGreaterThanOrEqual(50_000);
    expect(text).toContain(`- BUOY: ${buoys?.bytes} bytes in ${buoys?.count}`);
    await call(client, 'job', { job: running.structured.job, action: 'cancel' });
  });

  it('is not told by engines that do not know it, of a lost image, or of another’s session', async () => {
    const clojure = await call(client, 'images', { session: await open('nbb') });
    expect(clojure.isError).toBe(false);
    expect(clojure.text).toContain('A session of nbb does not offer what fills its memory in `images`.');
    const lost = await open('sbcl');
    await evaluate(client, '(sb-ext:exit :abort t)', { session: lost });
    expect((await call(client, 'images', { session: lost })).text).toContain('is gone because');
    expect((await call(client, 'images', { session: 'sbcl-nobody' })).text).toMatch(/^unknown_session: /);
  });
});
