/** Rows about serious conditions, for sessions with limits: what exceeds one ends, and nothing else notices. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { STARTING_MS } from '../nrepl-server';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

const LIMITS = { heap_mib: 256, cpu_seconds: 2, output_chars: 10_000 };

/** Several seconds of processor time are spent, on a machine that may be busy. */
const LIMIT_MS = 180_000;

interface Case {
  code: string;
  outcome: string;
  type?: string;
  note?: RegExp;
  /** Its answer is long, which concerns the way that it goes: tried on both. */
  long?: true;
}

const CASES: readonly Case[] = [
  {
    // So large that the heap is full long before the processor time is spent, also on a slow machine.
    code: '(let ((l nil)) (loop (push (make-array 100000) l)))',
    outcome: 'error',
    type: 'LISP-HARBOR-AGENT:HEAP-LIMIT-REACHED',
  },
  { code: '(loop)', outcome: 'interrupted', note: /2 s of processor time/ },
  {
    code: '(unwind-protect (loop) (loop))',
    outcome: 'interrupted',
    note: /2 s of processor time/,
  },
  {
    code: '(loop for i from 0 do (format t "~D~%" i))',
    outcome: 'interrupted',
    note: /more than the 10000 characters/,
    long: true,
  },
  {
    code: '(dotimes (i 100000) (format t "~D~%" i))',
    outcome: 'ok',
    note: /more than the 10000 characters/,
    long: true,
  },
  {
    code: '(labels ((down (n) (+ 1 (down n)))) (down 1))',
    outcome: 'error',
    type: 'SB-KERNEL::CONTROL-STACK-EXHAUSTED',
  },
];

let harbor: StartedHarbor;
let clients: Client[];

beforeAll(async () => {
  harbor = await sharedHarbor();
  clients = [await harbor.client(), await harbor.stdioClient()];
});
afterAll(() => harbor.stop());

const open = async (client: Client, args: Record<string, unknown> = {}) =>
  (await call<{ session: string; limits: unknown }>(client, 'open_session', args)).structured;

describe('cl-mcp-server: serious conditions, over HTTP and stdio', () => {
  it(
    'S1-37 S1-44 S1-80 what exceeds a limit ends and says why; its session and others go on',
    async () => {
      for (const [index, client] of clients.entries()) {
        const bystander = await open(client);
        const { session, limits } = await open(client, { limits: LIMITS });
        expect(limits).toEqual(LIMITS);
        await evaluate(client, '(defvar *kept* 7)', { session });
        const cases = CASES.filter(({ long }) => index === 0 || long);
        for (const { code, outcome, type, note = /^/ } of cases) {
          const { structured, text } = await evaluate(client, code, { session });
          expect(structured.outcome, text).toBe(outcome);
          expect(structured.condition?.type, code).toBe(type);
          expect(text, code).toMatch(note);
          const after = await evaluate(client, '*kept*', { session });
          expect(after.structured, `after ${code}`).toMatchObject({ outcome: 'ok', values: ['7'] });
          expect(after.text).not.toContain('This session is fresh');
        }
        const other = await evaluate(client, '(+ 1 2)', { session: bystander.session });
        expect(other.structured.values).toEqual(['3']);
      }
    },
    LIMIT_MS,
  );
});

describe('limits', () => {
  it('keep both ends of the output in the history, with what lies between counted', async () => {
    const [client] = clients as [Client];
    const { session } = await open(client, { limits: LIMITS });
    const printed = await evaluate(client, '(dotimes (i 100000) (format t "~9,\'0D~%" i))', { session });
    expect(printed.structured.stdout).toMatch(/^000000000\n.*000099999\n$/s);
    const job = `job-${printed.structured.id}`;
    const page = async (offset: number) =>
      (await call<{ output: string }>(client, 'job', { job, action: 'output', offset })).structured.output;
    // Offsets count all that was printed, so the last line stands where it would.
    expect(await page(999_990)).toBe('000099999\n');
  });

  it('keep no output that was dropped, however much is printed and whatever has grown old meanwhile', async () => {
    const [client] = clients as [Client];
    const { session } = await open(client, { limits: { heap_mib: 256, output_chars: 10_000 } });
    const code = `(let ((line (make-string 4096 :initial-element #\\a)))
      (dotimes (i 100) (write-string line))
      (sb-ext:gc :gen 3)
      (dotimes (i 20000 :done) (write-string line)))`;
    expect(await values(client, code, { session })).toEqual([':DONE']);
  });

  it('are told with the session, those of the settings where none were asked for', async () => {
    const [client] = clients as [Client];
    const { session, limits } = await open(client);
    expect(limits).toEqual({ heap_mib: 2048, cpu_seconds: null, output_chars: 4_194_304 });
    const { structured } = await call<{ sessions: { session: string; limits: unknown }[] }>(client, 'images');
    expect(structured.sessions.find((each) => each.session === session)?.limits).toEqual(limits);
    const opened = await call(client, 'open_session', { limits: { cpu_seconds: 7 } });
    expect(opened.text).toContain(
      'heap 2048 MiB, 7 s of processor time an evaluation, 4194304 characters of output an evaluation',
    );
  });

  it(
    'are those of its engine: a JVM has the heap that the settings give a JVM',
    async () => {
      const [client] = clients as [Client];
      const { session, limits } = await open(client, { engine: 'clojure' });
      expect(limits).toMatchObject({ heap_mib: 1024 });
      const [heap] = await values(client, '(quot (.maxMemory (Runtime/getRuntime)) 1048576)', { session });
      // The JVM leaves out one of its survivor spaces.
      expect(Number(heap)).toBeGreaterThan(900);
      expect(Number(heap)).toBeLessThanOrEqual(1024);
    },
    STARTING_MS,
  );

  it('that an engine does not keep are refused by name', async () => {
    const [client] = clients as [Client];
    const refused = await call(client, 'open_session', {
      engine: 'nbb',
      limits: { heap_mib: 256, cpu_seconds: 1 },
    });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(
      /A session of nbb cannot limit its heap, processor time\. Open it without limits\./,
    );
    expect((await open(client, { engine: 'nbb' })).limits).toEqual({
      heap_mib: null,
      cpu_seconds: null,
      output_chars: null,
    });
  });
});
