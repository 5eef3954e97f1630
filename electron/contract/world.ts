/** The logical world of a prover: a stack of commands, its changes, and its events. */
import { z } from 'zod';

/**
 * A command that can be submitted again. `form` is read in package ACL2; book names in it are relative to
 * `folder`, null for the project; `file` is the file that it was loaded from.
 */
export const CommandSource = z.object({
  form: z.string(),
  folder: z.string().nullable(),
  file: z.string().nullable(),
});
export type CommandSource = z.infer<typeof CommandSource>;

/** The first `kept` commands stayed, all others were removed, and `added` were appended. */
export const WorldChange = z.object({ kept: z.number().int(), added: z.array(CommandSource) });
export type WorldChange = z.infer<typeof WorldChange>;

/** A command with this number that was submitted again and is no longer admitted. */
export const LostCommand = z.object({ command: z.number().int(), form: z.string(), because: z.string() });
export type LostCommand = z.infer<typeof LostCommand>;

/** Combines two consecutive changes. */
export function combineChanges(first: WorldChange, next: WorldChange): WorldChange {
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

/** Marks of :PBT. `mode` is null for a theorem. */
export const NameMark = z.object({
  name: z.string(),
  mode: z.enum(['logic', 'program']).nullable(),
  guardsVerified: z.boolean(),
});
export type NameMark = z.infer<typeof NameMark>;

/** `rules` says whether the rules of the event are enabled; null if it has none. */
export const WorldEvent = AdmittedEvent.extend({
  rules: z.enum(['enabled', 'disabled', 'partly']).nullable(),
  marks: z.array(NameMark),
});
export type WorldEvent = z.infer<typeof WorldEvent>;

/**
 * A command in the world. `number` counts as :PBT and :UBT do; `text` is the form as ACL2 prints it in the
 * session's package. `events` has the last ones of `eventCount`. `embeddable`: it is allowed in a book.
 * `packages` are those it introduced.
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

/** A page of the stack, oldest first; `total` is its length. */
export const WorldCommands = z.object({ commands: z.array(WorldCommand), total: z.number().int() });
export type WorldCommands = z.infer<typeof WorldCommands>;

/** Dependencies of a name. `calls`: functions in its body or formula; `used`: events that its proofs used. */
export const Dependencies = z.object({
  name: z.string(),
  kind: z.string(),
  calls: z.array(z.string()),
  used: z.array(z.string()),
});
export type Dependencies = z.infer<typeof Dependencies>;
