/**
 * Changes that a session made since some moment: definitions, written files and loads; and its checkpoints.
 */
import { z } from 'zod';
import { EngineName, SessionId } from './model';

/**
 * Start of the interval: the start of the session, a checkpoint, or a time in milliseconds since the epoch.
 */
export const ChangesSince = z.discriminatedUnion('is', [
  z.object({ is: z.literal('beginning') }),
  z.object({ is: z.literal('checkpoint'), id: z.int() }),
  z.object({ is: z.literal('time'), at: z.int() }),
]);
export type ChangesSince = z.infer<typeof ChangesSince>;

/** The client that made the change, and when. */
const Done = z.object({ client: z.string(), at: z.number() });

/**
 * A definition that differs from its state at that moment. `diff` is a unified diff, null if the texts differ
 * too much to compare. `evaluation` is the one that made the present definition or removed it.
 */
export const DefinitionChange = Done.extend({
  key: z.string(),
  /** Such as `defun area`. */
  title: z.string(),
  name: z.string(),
  package: z.string(),
  what: z.enum(['added', 'redefined', 'removed']),
  evaluation: z.int(),
  diff: z.string().nullable(),
  /**
   * The project file (absolute path) that contains a definition of it; null for none. `newer`: somebody else
   * changed it there, so that writing over it would lose that; `diff` is then from the present definition to it.
   */
  file: z
    .object({
      ...{ path: z.string(), line: z.int(), hash: z.string() },
      newer: z.object({ diff: z.string().nullable() }).nullable(),
    })
    .nullable(),
  /** Whether a file contains the present definition; null if unknown. */
  saved: z.boolean().nullable(),
  /** Its names for writing it to a file; null if it cannot be written alone. */
  writeAs: z.array(z.string()).nullable(),
  /** Whether the earlier definition can be restored. */
  revertible: z.boolean(),
});
export type DefinitionChange = z.infer<typeof DefinitionChange>;

/**
 * A file that tools wrote for the session. `earlierContent` identifies the content at that moment, null if the file did
 * not exist. `hash` is the hash of the present content, null if it cannot be read.
 */
export const FileChange = Done.extend({
  path: z.string(),
  writes: z.int(),
  earlierContent: z.int().nullable(),
  hash: z.string().nullable(),
  diff: z.string().nullable(),
});
export type FileChange = z.infer<typeof FileChange>;

export const SystemChange = Done.extend({ name: z.string(), evaluation: z.int() });
export type SystemChange = z.infer<typeof SystemChange>;

/** A file that the session loaded, with the last evaluation that did. */
export const FileLoad = Done.extend({ path: z.string(), evaluation: z.int() });
export type FileLoad = z.infer<typeof FileLoad>;

/** A definition as it is in the file now. */
export const DefinitionInFile = z.object({
  title: z.string(),
  name: z.string(),
  package: z.string(),
  line: z.int(),
});
export type DefinitionInFile = z.infer<typeof DefinitionInFile>;

/**
 * Changes, newest first. `fromEvaluations`: the engine cannot report its definitions, so these are the evaluated
 * forms.
 */
export const ChangesView = z.object({
  since: z.number(),
  definitions: z.array(DefinitionChange),
  files: z.array(FileChange),
  loads: z.array(FileLoad),
  systems: z.array(SystemChange),
  fromEvaluations: z.boolean(),
});
export type ChangesView = z.infer<typeof ChangesView>;

/** A saved state of a session. */
export const CheckpointName = z.string().min(1).max(80);

export const CheckpointView = z.object({
  id: z.number().int(),
  /** Unique for the client in the project. */
  name: CheckpointName,
  /** The saved session, which may have ended. */
  session: SessionId,
  engine: EngineName,
  client: z.string(),
  project: z.string(),
  package: z.string(),
  bytes: z.number(),
  /** Sentences about what the file does not contain. */
  missing: z.array(z.string()),
  savedAt: z.number(),
  /** The newest evaluation of the session that it contains; 0 for none. */
  savedAfter: z.number().int(),
  /** Sessions whose image started from it. It cannot be deleted while there are any. */
  usedBy: z.array(SessionId),
});
export type CheckpointView = z.infer<typeof CheckpointView>;
