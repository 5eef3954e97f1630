/** What an evaluation cost, as results tell it: one line of the text, and an object of the data. */
import { z } from 'zod';
import type { Cost } from '../contract/profile';

export const CostResult = z.object({
  real_ms: z.number(),
  run_ms: z.number().describe('CPU'),
  gc_ms: z.number(),
  bytes: z.int().describe('Allocated'),
});
export type CostResult = z.infer<typeof CostResult>;

export function costResult({ realMs, runMs, gcMs, bytes }: Cost): CostResult {
  return { real_ms: realMs, run_ms: runMs, gc_ms: gcMs, bytes };
}

export function costText({ real_ms, run_ms, gc_ms, bytes }: CostResult): string {
  return `; cost: real ${real_ms} ms · run ${run_ms} ms · GC ${gc_ms} ms · ${bytes} bytes allocated`;
}
