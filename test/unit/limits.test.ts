/** Which limits a session gets. */
import { describe, expect, it } from 'vitest';
import { evaluationLimits, type RequestedLimits, resolveLimits } from '../../electron/sessions/open-request';

const USUAL = { heapMiB: 2048, cpuSeconds: null, outputChars: 4_194_304 };
const NONE = { heapMiB: null, cpuSeconds: null, outputChars: null };

const all = { name: 'sbcl', limits: ['heapMiB', 'cpuSeconds', 'outputChars'] } as const;
const heapOnly = { name: 'acl2', limits: ['heapMiB'] } as const;
const none = { name: 'nbb' } as const;

describe('the limits of a session', () => {
  it('are those asked for, else those of the settings', () => {
    expect(resolveLimits(all, {}, USUAL)).toEqual(USUAL);
    expect(resolveLimits(all, { cpuSeconds: 5, heapMiB: 300 }, USUAL)).toEqual({
      heapMiB: 300,
      cpuSeconds: 5,
      outputChars: 4_194_304,
    });
  });

  it('are none that the engine does not keep, and asking for one is refused by name', () => {
    expect(resolveLimits(none, {}, USUAL)).toEqual(NONE);
    expect(resolveLimits(heapOnly, {}, USUAL)).toEqual({ ...NONE, heapMiB: 2048 });
    const refusal = (engine: Parameters<typeof resolveLimits>[0], asked: RequestedLimits) => () =>
      resolveLimits(engine, asked, USUAL);
    expect(refusal(none, { outputChars: 10_000 })).toThrow(
      'A session of nbb cannot limit output. Open it without limits.',
    );
    expect(refusal(heapOnly, { heapMiB: 300, cpuSeconds: 5 })).toThrow(
      'A session of acl2 cannot limit processor time. It can limit its heap.',
    );
  });

  it('go with each evaluation as far as they are about one', () => {
    expect(evaluationLimits({ heapMiB: 300, cpuSeconds: 5, outputChars: 10_000 })).toEqual({
      cpuSeconds: 5,
      outputChars: 10_000,
    });
    expect(evaluationLimits(NONE)).toEqual({});
  });
});
