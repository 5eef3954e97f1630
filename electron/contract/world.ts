/** The logical world of a prover as a stack of commands, and books that were certified, as zod schemas. */
import { z } from 'zod';
import { AdmittedEvent } from './proof';
import { CommandSource } from './world-change';

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
