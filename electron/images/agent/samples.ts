/** Samples and costs as the agent sends them, made into those of the contract. */
import { z } from 'zod';
import { type Cost, SampledFunction, SampledProfile, type SampleShare } from '../../contract/cost';

/** Times in microseconds; made by resources/lisp/sbcl/metering.lisp. */
export const SentCost = z.object({ real: z.int(), run: z.int(), gc: z.int(), bytes: z.int() });

/** Made by resources/lisp/sbcl/samples.lisp. */
export const SentSamples = SampledProfile.extend({
  functions: z.array(SampledFunction.extend({ self: z.int(), total: z.int() })),
});

export function costOf({ real, run, gc, bytes }: z.infer<typeof SentCost>): Cost {
  return { realMs: real / 1000, runMs: run / 1000, gcMs: gc / 1000, bytes };
}

export function profileOf({ functions, ...sent }: z.infer<typeof SentSamples>): SampledProfile {
  const share = (samples: number): SampleShare => ({
    samples,
    percent: Math.round((1000 * samples) / Math.max(1, sent.samples)) / 10,
  });
  return {
    ...sent,
    functions: functions.map(({ name, self, total }) => ({ name, self: share(self), total: share(total) })),
  };
}
