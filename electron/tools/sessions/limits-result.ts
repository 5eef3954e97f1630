/** The limits of a session in the snake_case of tool arguments and results. */
import { z } from 'zod';
import { CpuSeconds, HeapMiB, type Limits, OutputChars } from '../../contract/memory';
import type { AskedLimits } from '../../sessions/session-limits';

export const LimitsArguments = z
  .strictObject({
    heap_mib: HeapMiB.optional(),
    cpu_seconds: CpuSeconds.optional(),
    output_chars: OutputChars.optional(),
  })
  .describe('Of the image, and of each evaluation; omitted: as in the settings');

export const LimitsResult = z.object({
  heap_mib: z.int().nullable(),
  cpu_seconds: z.int().nullable(),
  output_chars: z.int().nullable(),
});
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

/** What limits an image and each of its evaluations; empty where nothing does. */
export function limitsText({ heap_mib: heap, cpu_seconds: cpu, output_chars: output }: LimitsResult): string {
  return [
    ...(heap === null ? [] : [`heap ${heap} MiB`]),
    ...(cpu === null ? [] : [`${cpu} s of processor time an evaluation`]),
    ...(output === null ? [] : [`${output} characters of output an evaluation`]),
  ].join(', ');
}
