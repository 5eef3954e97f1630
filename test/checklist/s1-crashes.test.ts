/** Rows about serious conditions: whatever a session does to its image, the harbor and other sessions do not notice. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { rounds } from '../rounds';
import { ONE_WAY, StartedHarbor } from '../started-harbor';

/** Code, and the type of the condition that it ends in; null where the image ends. */
const CRASHES: readonly (readonly [code: string, type: string | null | undefined])[] = [
  ['(error "on purpose")', 'SIMPLE-ERROR'],
  ['(car 1)', 'TYPE-ERROR'],
  ['(labels ((down (n) (+ 1 (down n)))) (down 1))', 'SB-KERNEL::CONTROL-STACK-EXHAUSTED'],
  ['(let ((l nil)) (loop (push 1 l)))', 'LISP-HARBOR-AGENT:HEAP-LIMIT-REACHED'],
  ['(sb-ext:exit)', null],
  ['(sb-thread:join-thread (sb-thread:make-thread (lambda () (error "x"))) :default :died)', undefined],
  ['(break)', 'SIMPLE-CONDITION'],
  ['(invoke-debugger (make-condition \'simple-error :format-control "x"))', 'SIMPLE-ERROR'],
  ["(error 'sb-sys:interactive-interrupt)", 'SB-SYS:INTERACTIVE-INTERRUPT'],
  ['(sb-sys:sap-ref-64 (sb-sys:int-sap 0) 0)', 'SB-SYS:MEMORY-FAULT-ERROR'],
  ['(sb-unix:unix-kill (sb-unix:unix-getpid) sb-unix:sigkill) (sleep 20)', null],
];

const ROUNDS = rounds({ usual: 2, soak: 100 });

/** Milliseconds that one round may take on a busy machine. */
const ROUND_MS = 60_000;

/** Of the session that fills its heap: every machine has so much, whatever else runs there. */
const LIMITS = { heap_mib: 512 };

interface Images {
  sessions: { session: string; pid: number; generation: number }[];
}

let harbor: StartedHarbor;
let client: Client;

describe.each(ONE_WAY)('over %s', (way) => {
  beforeAll(async () => {
    harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
    client = await harbor.over(way);
  });
  afterAll(() => harbor.stop());

  const open = async (args: object = {}) =>
    (await call<{ session: string }>(client, 'open_session', { ...args })).structured.session;

  const view = async (session: string) => {
    const { sessions } = (await call<Images>(client, 'images')).structured;
    return sessions.find((each) => each.session === session);
  };

  describe('cl-mcp-server: serious conditions', () => {
    it(
      `S1-37 S1-44 S1-80 S1-8 leave the harbor and other sessions untouched, ${ROUNDS} rounds in a row`,
      async () => {
        const [victim, bystander] = [await open({ limits: LIMITS }), await open()];
        await evaluate(client, '(defvar *kept* 7)', { session: bystander });
        const before = await view(bystander);
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const [code, type] of CRASHES) {
            const { structured, isError } = await evaluate(client, code, {
              session: victim,
              wait_ms: ROUND_MS,
            });
            expect(structured.outcome, code).toBe(
              type === null ? 'crashed' : type === undefined ? 'ok' : 'error',
            );
            expect(structured.condition?.type, code).toBe(type ?? undefined);
            expect(isError, code).toBe(type !== undefined);

            const after = await evaluate(client, '(+ 1 2)', { session: victim });
            expect(after.structured.values, `after ${code}`).toEqual(['3']);
            expect(/This session (is fresh|has a new image)/.test(after.text), `after ${code}`).toBe(
              type === null,
            );
          }
          const other = await evaluate(client, '(incf *kept*)', { session: bystander });
          expect(other.structured.values).toEqual([String(8 + round)]);
        }
        expect(await view(bystander)).toMatchObject({ pid: before?.pid, generation: 1 });
        expect(harbor.child.exitCode).toBeNull();
      },
      ROUNDS * ROUND_MS,
    );
  });
});
