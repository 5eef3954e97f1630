/** How the window says that a client's last call ended: a stop, a pause and a refusal are no failures. */
import { expect, it } from 'vitest';
import { CallWatch } from '../../electron/access/call-watch';
import { type ErrorCode, HarborError } from '../../electron/contract/errors';

const call = { client: { key: 'codex' }, tool: 'eval', args: { code: '(loop)' } };

async function endingOf(work: () => Promise<{ isError: boolean; structured?: object }>) {
  const watch = new CallWatch();
  const ended = watch.watch(call, work);
  expect(watch.calls[0]?.ending).toBeNull();
  await ended.catch(() => undefined);
  return watch.calls[0]?.ending;
}

it.each([
  ['ok', false, 'ok'],
  ['error', true, 'failed'],
  ['interrupted', true, 'stopped'],
  ['refused', true, 'refused'],
] as const)('an evaluation with the outcome %s', async (outcome, isError, ending) => {
  expect(await endingOf(async () => ({ isError, structured: { outcome } }))).toBe(ending);
});

it.each([
  ['paused', 'paused'],
  ['cancelled', 'stopped'],
  ['not_approved', 'refused'],
  ['unknown_tool', 'failed'],
] as const satisfies readonly (readonly [ErrorCode, string])[])(
  'a call that threw %s',
  async (code, ending) => {
    expect(await endingOf(() => Promise.reject(new HarborError(code, 'No.')))).toBe(ending);
  },
);
