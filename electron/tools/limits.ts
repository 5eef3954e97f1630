/** The limits of a session in the snake_case of tool arguments and results. */
import { z } from 'zod';
import { CpuSeconds, HeapMiB, type Limits, OutputChars } from '../contract/limits';
import type { AskedLimits } from '../sessions/limits';

export const LimitsArguments = z
  .strictObject({
    heap_mib: HeapMiB.optional(),
    cpu_seconds: CpuSeconds.optional(),
    output_chars: OutputChars.optional(),
  })
  .describe('Of the image, and of each evaluation; omitted: as in the settings');

export const LimitsResult = z
  .object({ heap_mib: z.int().nullable(), cpu_seconds: z.int().nullable(), output_chars: z.int().nullable() })
  .meta({ brief: true });
export type LimitsResult = z.infer<typeof LimitsResult>;

export function askedLimits(args: z.infer<typeof LimitsArguments>): AskedLimits {
  const { heap_mib: heapMiB, cpu_seconds: cpuSeconds, output_chars: outputChars } = args;
  return {
    ...(heapMiB === undefined ? {} : { heapMiB }),
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    ...(outputChars === undefined ? {} : { outputChars }),
  };
}

export function limitsResult({ heapMiB, cpuSeconds, outputChars }: Limits): LimitsResult {
  return { heap_mib: heapMiB, cpu_seconds: cpuSeconds, output_chars: outputChars };
}

/** "heap 2048 MiB, 10 s of processor time and 4194304 characters of output an evaluation", or "no limits". */
export function limitsText({ heap_mib: heap, cpu_seconds: cpu, output_chars: output }: LimitsResult): string {
  const each = [
    cpu === null ? [] : [`${cpu} s of processor time`],
    output === null ? [] : [`${output} characters of output`],
  ].flat();
  const parts = [
    heap === null ? [] : [`heap ${heap} MiB`],
    each.length === 0 ? [] : [`${each.join(' and ')} an evaluation`],
  ].flat();
  return parts.length === 0 ? 'no limits' : parts.join(', ');
}
