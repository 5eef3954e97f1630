/** The profile that a person chose for each client. */
import { z } from 'zod';

/** Which profile each client is served that names none. */
export const ChosenProfiles = z.object({
  /** Served to clients without a choice. */
  usual: z.string(),
  known: z.array(z.string()),
  /** By the client's key. */
  chosen: z.record(z.string(), z.string()),
});
export type ChosenProfiles = z.infer<typeof ChosenProfiles>;

/** null: the usual one. */
export const ProfileChoice = z.object({ client: z.string().min(1).max(64), profile: z.string().nullable() });
export type ProfileChoice = z.infer<typeof ProfileChoice>;
