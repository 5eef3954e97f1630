/** Interrupts of an image that answers late: it is not taken for stuck, which would end it with all its state. */
import { expect, it } from 'vitest';
import { AgentEvaluation } from '../../electron/images/agent/evaluation';
import { AgentInterrupts } from '../../electron/images/agent/interrupts';

/** As long as the collection of a large heap takes on a slow machine. */
const LATE_MS = 2_000;

it.each(['cooperative', 'insistent'] as const)('one that is %s reaches an image that answers late', async (step) => {
  const evaluation = new AgentEvaluation(7, () => undefined, { profiled: false });
  const asked: unknown[] = [];
  const interrupts = new AgentInterrupts((request) => {
    asked.push(request);
    const { id } = request as { id: number };
    setTimeout(() => interrupts.answered(id, true), asked.length === 1 ? LATE_MS : 0);
  });
  expect(await interrupts.climb(evaluation, step)).toBe(true);
  expect(asked[0]).toEqual({ op: 'interrupt', id: 1, evaluation: 7 });
});
