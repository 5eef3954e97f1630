/** ACL2 through the tools of a started harbor: over HTTP and over stdio, with what an agent reads. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor } from '../started-harbor';
import { StdioLines } from '../stdio-client';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

async function openAcl2(): Promise<string> {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'acl2' });
  return structured.session;
}

describe('over HTTP', () => {
  it('lists the engine with its version', async () => {
    const { structured } = await call<{ engines: unknown[] }>(client, 'images');
    expect(structured.engines).toContainEqual(
      expect.objectContaining({ engine: 'acl2', available: true, version: expect.any(String) }),
    );
  });

  it('proves, and says in data and in text what the proof rests on', async () => {
    const session = await openAcl2();
    const { structured, text, isError } = await evaluate(
      client,
      `${APP} (defthm app-assoc (equal (app (app x y) z) (app x (app y z))))`,
      { session },
    );
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      outcome: 'ok',
      report: {
        proof: {
          issues: [],
          events: [
            { verdict: 'admitted', names: ['APP'] },
            { verdict: 'admitted', names: ['APP-ASSOC'] },
          ],
        },
      },
    });
    expect(text).toMatch(
      /^2\. DEFTHM APP-ASSOC: admitted · \d+ steps\n; no trust issues · command 2 · log job-\d+$/m,
    );
  });

  it('shows why a proof failed, and that a success rests on what was skipped', async () => {
    const session = await openAcl2();
    const failed = await evaluate(client, `${APP} (thm (equal (app x y) (app y x)))`, { session });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain('key checkpoints at the top level:');
    expect(failed.text).toContain('(pushed for induction: *1): the conjecture itself');
    const skipped = await evaluate(client, '(skip-proofs (defthm bad nil :rule-classes nil))', { session });
    expect(skipped.isError).toBe(false);
    expect(skipped.text).toMatch(/^; rests on skip-proofs \(/m);
  });

  it('keeps two sessions in worlds of their own, and says what a proof has printed', async () => {
    const [one, other] = [await openAcl2(), await openAcl2()];
    const { structured, text } = await evaluate(client, `${APP} (cw "told~%")`, { session: one });
    expect(structured.stdout).toBe('told\n');
    const [, job] = /log (job-\d+)/.exec(text) ?? [];
    const { structured: logged } = await call(client, 'job', { job, action: 'output' });
    expect(logged.output).toContain('The admission of APP is trivial');
    expect((await evaluate(client, '(app nil nil)', { session: other })).isError).toBe(true);
  });

  it('makes a job of what runs long, and cancelling it keeps the world', async () => {
    const session = await openAcl2();
    const fib = '(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))';
    await evaluate(client, fib, { session });
    const { structured } = await evaluate(client, '(fib 70)', { session, wait_ms: 100 });
    expect(structured.outcome).toBe('running');
    await call(client, 'job', { job: structured.job, action: 'cancel' });
    await expect
      .poll(
        async () =>
          (await call<{ outcome: string }>(client, 'job', { job: structured.job, action: 'status' }))
            .structured.outcome,
        PATIENT,
      )
      .toBe('interrupted');
    expect((await evaluate(client, '(fib 10)', { session })).structured.values).toEqual(['55']);
  });

  it('says what became of a session whose form ended ACL2', async () => {
    const session = await openAcl2();
    const ended = await evaluate(client, '(exit 3)', { session });
    expect(ended.structured).toMatchObject({
      outcome: 'crashed',
      notes: expect.arrayContaining(['ACL2 exited with code 3.']),
    });
    expect((await evaluate(client, '(+ 1 2)', { session })).structured.values).toEqual(['3']);
  });
});

describe('over stdio', () => {
  it('opens a session of ACL2 and evaluates there', async () => {
    const stdio = new StdioLines(harbor, ['--engine', 'acl2']);
    await stdio.initialize();
    const ask = (id: number, name: string, args: object) =>
      stdio.ask({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    const opened = await ask(1, 'open_session', { engine: 'acl2' });
    const { session } = (opened.result?.structuredContent ?? {}) as { session?: string };
    const proved = await ask(2, 'eval', { session, code: '(thm (equal (car (cons x y)) x))' });
    expect(proved.result?.structuredContent).toMatchObject({
      outcome: 'ok',
      report: { proof: { issues: [], events: [{ verdict: 'proved' }] } },
    });
    await stdio.end();
  });
});
