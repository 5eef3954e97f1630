/** The trace that a request belongs to (W3C Trace Context), as MCP clients send it in `_meta`. Pure. */

import { z } from 'zod';

export const TraceContext = z.object({ traceparent: z.string(), tracestate: z.string().optional() });
export type TraceContext = z.infer<typeof TraceContext>;

/** A `traceparent` by its parts. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  /** Whether the caller records the trace. */
  sampled: boolean;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;
/** Maximum characters of a `tracestate`. The standard lets a longer one be dropped. */
const LONGEST_STATE = 512;
const STATE = /^[\x20-\x7e]*$/;

/** Returns null for text that is no `traceparent`. */
export function parsedTraceParent(text: string): TraceParent | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Returns the context in the `_meta` of a request; undefined if there is none that is valid. */
export function traceContextIn(meta: unknown): TraceContext | undefined {
  const { data } = TraceContext.safeParse(meta);
  if (data === undefined || parsedTraceParent(data.traceparent) === null) return undefined;
  const { traceparent, tracestate = '' } = data;
  const isRetained = tracestate !== '' && tracestate.length <= LONGEST_STATE && STATE.test(tracestate);
  return { traceparent, ...(isRetained ? { tracestate } : {}) };
}
