/** How the helper writes commands (resources/lisp/acl2/commands.lisp), read as contract/world.ts has them. */
import { z } from 'zod';
import { NameMark, WorldCommand, WorldEvent } from '../../contract/world';

const mark = NameMark.omit({ guardsVerified: true })
  .extend({ guards_verified: z.boolean() })
  .transform(({ guards_verified: guardsVerified, ...same }) => ({ ...same, guardsVerified }));

const event = WorldEvent.extend({ marks: z.array(mark) });

const command = WorldCommand.omit({ eventCount: true })
  .extend({ events: z.array(event), event_count: z.number().int() })
  .transform(({ event_count: eventCount, ...same }) => ({ ...same, eventCount }));

/** The answer to the query `commands`. */
export const COMMANDS = z.object({ commands: z.array(command), total: z.number().int() });
