/** What is missing and what the system's package manager would bring of it. Nobody but a person installs anything. */
import { z } from 'zod';
import { EngineName } from './model';

export const Missing = z.object({
  /** An engine, or what confines images. */
  brings: z.union([EngineName, z.literal('bubblewrap')]),
  packages: z.array(z.string()),
});
export type Missing = z.infer<typeof Missing>;

export const Installable = z.object({
  /** What a person types before the names of packages. */
  command: z.string(),
  missing: z.array(Missing),
});
export type Installable = z.infer<typeof Installable>;
