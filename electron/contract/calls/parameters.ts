/** What the tables of calls have in common: their shape, and arguments that many calls have. */
import { z } from 'zod';
import type { CallName } from '../channels';
import { SessionId } from '../model';

export const nothing = z.null();
export const bySession = z.object({ session: SessionId });
export const byId = z.object({ id: z.number().int() });
export const byName = z.object({ name: z.string().min(1).max(64) });

/** Some of the calls; one that has no name in channels.ts does not compile. */
export type CallTable = Partial<Record<CallName, { args: z.ZodType; result: z.ZodType }>>;
