/** The tools of the profile `acl2` for ACL2 sessions, each a process with a world of its own: opened, listed, ended, and
 * their worlds kept by name. */
import { z } from 'zod';
import { CheckpointName } from '../../contract/checkpoints';
import { CheckpointAction, type CheckpointToolOptions, checkpointTool } from '../sessions/checkpoint-tool';
import { closeSessionTool } from '../sessions/close-session-tool';
import { type ImagesToolOptions, imagesTool } from '../sessions/images-tool';
import { type OpenSessionToolOptions, openSessionTool } from '../sessions/open-session-tool';
import type { Tool } from '../tool';
import { session_id } from './acl2-arguments';
import { adaptersOf } from './tool-adapter';

export function acl2SessionTools(
  options: OpenSessionToolOptions & ImagesToolOptions & CheckpointToolOptions,
): Tool[] {
  return [
    adaptersOf(openSessionTool(options))({
      name: 'start_acl2_session',
      description:
        'Starts another ACL2 with a world of its own and answers the handle to pass as session_id.',
      args: z.strictObject({
        name: z.string().min(1).max(80).optional(),
        description: z.string().max(80).optional().describe('Its name, as other versions call it'),
      }),
      toArguments: ({ name, description }) => {
        const called = name ?? description;
        return { engine: 'acl2', ...(called ? { name: called } : {}) };
      },
      render: ({ session }) => `Session ${session} created`,
    }),
    adaptersOf(imagesTool(options))({
      name: 'list_acl2_sessions',
      description: 'Your sessions: which state each is in, and how much memory it takes.',
      args: z.strictObject({}),
      toArguments: () => ({}),
      render: ({ sessions }) => {
        const lines = sessions.map(({ session, engine, name, state, memory_bytes: memory }) => {
          const size = memory === null ? '' : ` · ${Math.round(memory / 1024 ** 2)} MiB`;
          return `${session} ${engine} ${name}: ${state}${size}`;
        });
        return `Active sessions:\n${lines.join('\n')}`;
      },
    }),
    adaptersOf(closeSessionTool(options))({
      name: 'stop_acl2_session',
      description: 'Ends a session and its process; the history keeps what was evaluated.',
      args: z.strictObject({ session_id: z.string() }),
      toArguments: ({ session_id }) => ({ session: session_id }),
      render: ({ session }) => `Session ${session} ended`,
    }),
    adaptersOf(checkpointTool(options))({
      name: 'acl2_checkpoint',
      description:
        'Keeps the world under a name (save), lists what is kept (list), goes back to it (restore; the present world is saved first, and no proof is done again while ACL2 still has that world), opens a second session with it (branch), drops it (drop).',
      args: z.strictObject({
        action: CheckpointAction,
        name: CheckpointName.optional(),
        session_id,
      }),
      engine: 'acl2',
      toArguments: ({ session_id: session, ...given }) => ({
        ...given,
        ...(session === undefined ? {} : { session }),
      }),
    }),
  ];
}
