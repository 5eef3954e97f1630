/** The logical world of a prover: a stack of commands, what becomes of it, and what the events in it are. */
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

/** An event in the logical world. `depth` is 0 at the top level, more inside an ENCAPSULATE or a book. */
export const AdmittedEvent = z.object({
  kind: z.string(),
  names: z.array(z.string()),
  depth: z.number().int(),
  skipped: z.boolean(),
});
export type AdmittedEvent = z.infer<typeof AdmittedEvent>;

/** What :PBT marks with letters. `mode` is null for a theorem. */
export const NameMark = z.object({
  name: z.string(),
  mode: z.enum(['logic', 'program']).nullable(),
  guardsVerified: z.boolean(),
});
export type NameMark = z.infer<typeof NameMark>;

/** `rules` says whether the rules that the event made are enabled now; null where it made none. */
export const WorldEvent = AdmittedEvent.extend({
  rules: z.enum(['enabled', 'disabled', 'partly']).nullable(),
  marks: z.array(NameMark),
});
export type WorldEvent = z.infer<typeof WorldEvent>;

/**
 * A command in the world. `number` is as :PBT and :UBT count; `text` as ACL2 prints the form in the session's package.
 * `events` has the last ones of `eventCount`. `embeddable`: it may stand in a book. `packages` are those it made known.
 */
export const WorldCommand = CommandSource.extend({
  number: z.number().int(),
  text: z.string(),
  embeddable: z.boolean(),
  packages: z.array(z.string()),
  events: z.array(WorldEvent),
  eventCount: z.number().int(),
});
export type WorldCommand = z.infer<typeof WorldCommand>;

/** A page of the stack, oldest first; `total` counts the whole of it. */
export const WorldCommands = z.object({ commands: z.array(WorldCommand), total: z.number().int() });
export type WorldCommands = z.infer<typeof WorldCommands>;

/** What a name rests on. `calls`: functions in its body or formula; `used`: the events that its proofs used. */
export const Dependencies = z.object({
  name: z.string(),
  kind: z.string(),
  calls: z.array(z.string()),
  used: z.array(z.string()),
});
export type Dependencies = z.infer<typeof Dependencies>;
