/** The tools of the profile `acl2` for ACL2 sessions, each a process with a world of its own: opened, listed, ended, and
 * their worlds kept by name. */
import { z } from 'zod';
import { CheckpointName } from '../../contract/checkpoints';
import { CheckpointAction, type CheckpointToolOptions, checkpointTool } from '../sessions/checkpoint';
import { openSessionTool } from '../sessions/open-session';
import { closeSessionTool, imagesTool, type SessionToolOptions } from '../sessions/sessions';
import type { Tool } from '../tool';
import { session_id } from './acl2-arguments';
import { facesOf } from './tool-adapter';

export function acl2SessionTools(options: SessionToolOptions & CheckpointToolOptions): Tool[] {
  return [
    facesOf(openSessionTool(options))({
      name: 'start_acl2_session',
      description:
        'Starts another ACL2 with a world of its own and answers the handle to pass as session_id.',
      args: z.strictObject({
        name: z.string().min(1).max(80).optional(),
        description: z.string().max(80).optional().describe('Its name, as other versions call it'),
      }),
      asks: ({ name, description }) => {
        const called = name ?? description;
        return { engine: 'acl2', ...(called ? { name: called } : {}) };
      },
      tells: ({ session }) => `Session ${session} created`,
    }),
    facesOf(imagesTool(options))({
      name: 'list_acl2_sessions',
      description: 'Your sessions: which state each is in, and how much memory it takes.',
      args: z.strictObject({}),
      asks: () => ({}),
      tells: ({ sessions }) => {
        const lines = sessions.map(
          ({ session, engine, name, state }) => `${session} ${engine} ${name}: ${state}`,
        );
        return `Active sessions:\n${lines.join('\n')}`;
      },
    }),
    facesOf(closeSessionTool(options))({
      name: 'stop_acl2_session',
      description: 'Ends a session and its process; the history keeps what was evaluated.',
      args: z.strictObject({ session_id: z.string() }),
      asks: ({ session_id }) => ({ session: session_id }),
      tells: ({ session }) => `Session ${session} ended`,
    }),
    facesOf(checkpointTool(options))({
      name: 'acl2_checkpoint',
      description:
        'Keeps the world under a name (save), lists what is kept (list), goes back to it (restore; the present world is saved first, and no proof is done again while ACL2 still has that world), opens a second session with it (branch), drops it (drop).',
      args: z.strictObject({
        action: CheckpointAction,
        name: CheckpointName.optional(),
        session_id,
      }),
      engine: 'acl2',
      asks: ({ session_id: session, ...asked }) => ({
        ...asked,
        ...(session === undefined ? {} : { session }),
      }),
    }),
  ];
}
