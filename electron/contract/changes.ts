/** What a session has done to the world since some moment: its definitions, the files written for it, what it loaded. */
import { z } from 'zod';

/** The session's beginning, one of its checkpoints, or a time in milliseconds since the epoch. */
export const ChangesSince = z.discriminatedUnion('is', [
  z.object({ is: z.literal('beginning') }),
  z.object({ is: z.literal('checkpoint'), id: z.int() }),
  z.object({ is: z.literal('time'), at: z.int() }),
]);
export type ChangesSince = z.infer<typeof ChangesSince>;

/** Who did it and when. */
const Done = z.object({ client: z.string(), at: z.number() });

/**
 * A definition that is another one than at that moment. `diff` is unified, null where the texts are too different to compare;
 * `evaluation` made what is there now, or took it away.
 */
export const DefinitionChange = Done.extend({
  key: z.string(),
  /** `defun area`. */
  title: z.string(),
  name: z.string(),
  package: z.string(),
  what: z.enum(['added', 'redefined', 'removed']),
  evaluation: z.int(),
  diff: z.string().nullable(),
  /** The file of the project, absolute, that has a definition of it; null for none. */
  file: z.object({ path: z.string(), line: z.int() }).nullable(),
  /** Whether a file holds what is there now; null where nobody knows. */
  saved: z.boolean().nullable(),
  /** What to call it when it is to be written to a file; null where it cannot be written alone. */
  writeAs: z.array(z.string()).nullable(),
  /** Whether what was there before can be put back. */
  revertible: z.boolean(),
});
export type DefinitionChange = z.infer<typeof DefinitionChange>;

/** A file that tools wrote for the session. `kept` names what it held at that moment, null for one that was not there;
 * `hash` is of what it holds now, null where it cannot be read any more. */
export const FileChange = Done.extend({
  path: z.string(),
  writes: z.int(),
  kept: z.int().nullable(),
  hash: z.string().nullable(),
  diff: z.string().nullable(),
});
export type FileChange = z.infer<typeof FileChange>;

export const SystemChange = Done.extend({ name: z.string(), evaluation: z.int() });
export type SystemChange = z.infer<typeof SystemChange>;

/** A file that the session loaded last in that evaluation. */
export const FileLoad = Done.extend({ path: z.string(), evaluation: z.int() });
export type FileLoad = z.infer<typeof FileLoad>;

/** A definition as a file has it now. */
export const DefinitionInFile = z.object({
  title: z.string(),
  name: z.string(),
  package: z.string(),
  line: z.int(),
});
export type DefinitionInFile = z.infer<typeof DefinitionInFile>;

/** The newest first, each. `asTold`: the engine does not say what it has, so this is what was evaluated. */
export const ChangesView = z.object({
  since: z.number(),
  definitions: z.array(DefinitionChange),
  files: z.array(FileChange),
  loads: z.array(FileLoad),
  systems: z.array(SystemChange),
  asTold: z.boolean(),
});
export type ChangesView = z.infer<typeof ChangesView>;
