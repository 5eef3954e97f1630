/** Trying a tool by hand, as a client of the harbor's own, and what is told of the harbor to who asks for help. */
import { z } from 'zod';

/** A tool as a client is told of it; `inputSchema` is JSON Schema. */
export const OfferedTool = z.object({
  name: z.string(),
  description: z.string().default(''),
  inputSchema: z.record(z.string(), z.unknown()),
});
export type OfferedTool = z.infer<typeof OfferedTool>;

/** The messages of JSON-RPC as they went over the wire, and how long the answer took, in milliseconds. */
export const TriedCall = z.object({ request: z.string(), reply: z.string(), ms: z.number() });
export type TriedCall = z.infer<typeof TriedCall>;
