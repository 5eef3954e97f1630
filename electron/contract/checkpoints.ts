/** A saved state of a session, as every watcher sees it. */
import { z } from 'zod';
import { EngineName, SessionId } from './model';

export const CheckpointName = z.string().min(1).max(80);

export const CheckpointView = z.object({
  id: z.number().int(),
  /** Unlike all others of this client in this project. */
  name: CheckpointName,
  /** The session that was saved, which may have ended. */
  session: SessionId,
  engine: EngineName,
  client: z.string(),
  project: z.string(),
  package: z.string(),
  bytes: z.number(),
  /** Sentences on what the file could not carry. */
  missing: z.array(z.string()),
  savedAt: z.number(),
  /** The newest evaluation of the session that it holds; 0 for none. */
  savedAfter: z.number().int(),
  /** Sessions whose image began from it: it cannot be dropped while there are any. */
  usedBy: z.array(SessionId),
});
export type CheckpointView = z.infer<typeof CheckpointView>;
