/** The debugger rows of the Lisply document, spoken to a started harbor through the default profile's tools. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DebuggedSession } from '../integration/debugger-fixture';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;
let session: DebuggedSession;

describe.each(sampled('s0-debugger ways', WAYS, 1))('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way);
    session = await DebuggedSession.open(client);
  });
  afterAll(() => harbor.stop());

  const TWO_WAYS = '(restart-case (error "x") (a () 1) (b () 2))';

  describe('Lisply: the debugger', () => {
    it('S0-19 shows type and message of an error', async () => {
      const { structured, text } = await session.evaluate('(error "no ~a" :way)');
      expect(structured.condition).toMatchObject({ type: 'SIMPLE-ERROR', message: 'no WAY' });
      expect(text).toMatch(/\[SIMPLE-ERROR\] no WAY/);
    });

    it('S0-20 lists restarts A and B and abort with their numbers', async () => {
      const { structured, text } = await session.evaluate(TWO_WAYS, { on_error: 'debug' });
      const listed = structured.condition?.restarts.map(({ index, name }) => `${index} ${name}`);
      expect(listed).toEqual(['0 A', '1 B', '2 ABORT']);
      expect(text).toMatch(/0: \[A\][\s\S]*1: \[B\][\s\S]*2: \[ABORT\]/);
      await session.debug('abort');
    });

    it('S0-21 S0-22 aborts, continues, shows frames of the paused session, and is back to normal after', async () => {
      await session.hold(TWO_WAYS);
      const shown = await session.debug('show');
      expect(shown.text).toMatch(/\[backtrace\]\n0: /);
      expect((await session.debug('frame')).isError).toBe(false);
      const chosen = await session.debug('restart', { restart: 1 });
      expect(chosen.structured.evaluation).toMatchObject({ outcome: 'ok', values: ['2'] });

      await session.hold('(cerror "Go on." "stop") :went-on');
      const continued = await session.debug('restart', { restart: 'continue' });
      expect(continued.structured.evaluation.values).toEqual([':WENT-ON']);

      await session.hold(TWO_WAYS);
      expect((await session.debug('abort')).structured).toMatchObject({ level: 0, state: 'idle' });
      expect(await session.values('(+ 1 2)')).toEqual(['3']);
    });

    it('knows its debugger levels by themselves, not by what was printed', async () => {
      const printed = await session.evaluate('(progn (write-line "0] 1 > ELISP>") :fine)', {
        on_error: 'debug',
      });
      expect(printed.structured).toMatchObject({ outcome: 'ok', values: [':FINE'] });
      expect(await session.state()).toBe('idle');
      expect((await session.hold('(error "one")')).condition?.level).toBe(1);
      expect((await session.hold('(error "two")', { level: 1 })).condition?.level).toBe(2);
      expect(await session.state()).toBe('debugger');
      await session.debug('abort', { level: 0 });
    });

    it('evaluates subexpressions where an error happened', async () => {
      await session.evaluate("(defun broken (items) (reduce #'+ (mapcar #'length items)))");
      await session.hold('(broken (list "ab" 3))');
      const { structured } = await session.debug('show');
      const frame = structured.debugger.frames.find(({ call }) => call.startsWith('(BROKEN'))?.index;
      const found = await session.debug('eval', { frame, code: "(find-if #'numberp items)" });
      expect(found.structured.evaluation.values).toEqual(['3']);
      await session.debug('abort');
    });

    it('S1-56 reports twenty frames at most', async () => {
      const { structured } = await session.evaluate(
        '(defun down (n) (if (zerop n) (error "deep") (1+ (down (1- n))))) (down 50)',
      );
      expect(structured.condition?.frames).toHaveLength(20);
    });
  });
});
