/** The condition of a failed evaluation, as resources/nbb/image.cljs prints it. */
import { z } from 'zod';
import type { Condition } from '../../contract/model';
import { parseWellFormed } from '../../host/well-formed';

const Printed = z.object({ type: z.string(), message: z.string(), frames: z.array(z.string()) });

/**
 * `fallback` is the server's own message: code in the image can redefine what prints the rest. ClojureScript
 * has no restarts, and an error returns to top level at once.
 */
export function conditionFrom(printed: string, fallback: string): Condition {
  const { type, message, frames } = parse(printed) ?? { type: 'Error', message: fallback, frames: [] };
  return {
    type,
    message,
    level: 1,
    restarts: [],
    frames: frames.map((call, index) => ({ index, call })),
  };
}

function parse(printed: string): z.infer<typeof Printed> | null {
  try {
    return Printed.safeParse(parseWellFormed(printed)).data ?? null;
  } catch {
    return null;
  }
}
