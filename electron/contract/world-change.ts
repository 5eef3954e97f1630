/** What evaluating has done to a logical world's stack of commands, so that it can be built again in another image. */
import { z } from 'zod';

/**
 * A command as it can be submitted again. `form` is read in package ACL2; `folder` is where names of books in it are
 * relative to, null for the project; `file` is what it was loaded from, if it was.
 */
export const CommandSource = z.object({
  form: z.string(),
  folder: z.string().nullable(),
  file: z.string().nullable(),
});
export type CommandSource = z.infer<typeof CommandSource>;

/** The first `kept` commands stayed, all others went, and `added` came on top. */
export const WorldChange = z.object({ kept: z.number().int(), added: z.array(CommandSource) });
export type WorldChange = z.infer<typeof WorldChange>;

/** A command that was in the world under this number, was submitted again, and is not in it any more. */
export const LostCommand = z.object({ command: z.number().int(), form: z.string(), because: z.string() });
export type LostCommand = z.infer<typeof LostCommand>;

/** The change that two, one after the other, come to. */
export function followed(first: WorldChange, next: WorldChange): WorldChange {
  const staying = Math.max(0, next.kept - first.kept);
  return {
    kept: Math.min(first.kept, next.kept),
    added: [...first.added.slice(0, staying), ...next.added],
  };
}
