/** The tool `close_session`: ends a session, and says what was lost by that. */
import { z } from 'zod';
import { addressText } from '../../contract/server';
import { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import type { Tool } from '../tool';
import { unsavedNotes } from './unsaved-notes';

const CloseArguments = z.strictObject({ session: z.string() });
const CloseResult = z.object({ session: z.string(), closed: z.boolean(), notes: z.array(z.string()) });

const SLEPT = 'It was asleep. The history keeps the code of all that was evaluated in it.';

export function closeSessionTool({
  sessions,
}: {
  sessions: Sessions;
}): Tool<typeof CloseArguments, typeof CloseResult> {
  return {
    name: 'close_session',
    title: 'Close a session',
    description: 'Ends the session and its image, and says which definitions no file holds.',
    scope: 'evaluate',
    approval: 'kill',
    args: CloseArguments,
    result: CloseResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const session = sessions.known(args.session, caller.client);
      const isAwake = session instanceof Session;
      const unsaved = isAwake ? await unsavedNotes(session) : [SLEPT];
      const interrupted = isAwake ? session.running : null;
      const { server } = session.identity;
      await sessions.close(session);
      const notes = [
        ...(interrupted ? [`Evaluation ${interrupted.id} was running and has been interrupted.`] : []),
        ...unsaved,
        ...(server ? [`The server at ${addressText(server)} goes on, with all that was defined in it.`] : []),
      ];
      const text = [`Closed ${args.session}.`, ...notes].join(' ');
      return { structured: { session: args.session, closed: true, notes }, text, isError: false };
    },
  };
}
