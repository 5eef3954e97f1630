/** How the app stands to newer versions of itself. */
import { z } from 'zod';

export const UpdateChannel = z.enum(['off', 'stable', 'beta']);
export type UpdateChannel = z.infer<typeof UpdateChannel>;

const version = z.string();

export const UpdateView = z.discriminatedUnion('state', [
  /** This copy was built without an address for updates. */
  z.object({ state: z.literal('absent') }),
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('looking') }),
  /** No newer one was there; `at` in milliseconds since the epoch. */
  z.object({ state: z.literal('current'), at: z.number() }),
  z.object({ state: z.literal('found'), version }),
  z.object({ state: z.literal('getting'), version, percent: z.number() }),
  /**
   * It is here and what it should be; `installed` where it lies in the place of what runs, which only has to be started again.
   * `wanted`: that happens as soon as no evaluation is running any more.
   */
  z.object({
    state: z.literal('ready'),
    version,
    installed: z.boolean(),
    wanted: z.boolean(),
    running: z.number().int(),
  }),
  z.object({ state: z.literal('failed'), reason: z.string() }),
]);
export type UpdateView = z.infer<typeof UpdateView>;
