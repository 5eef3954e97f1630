/** A session's logical world as the window shows and changes it: its last commands, undoing them, and final checks. */
import type { ParsedArgs, Result } from '../contract/contract';
import type { Client } from '../contract/model';
import type { WorldCommands } from '../contract/world';
import { finalCheckOf } from '../sessions/export/final-check';
import type { Session } from '../sessions/session/session';

/** At most `most` commands, oldest first.
 * @throws HarborError `not_supported`, `session_ended`, and as the image does when it is asked */
export async function lastCommands(session: Session, most: number): Promise<WorldCommands> {
  const world = session.ability('world');
  // Numbers need not begin with 1: the image says where.
  const { commands, total } = await world.commands({ limit: 1 });
  const [first] = commands;
  if (!first || total === 1) return { commands, total };
  return world.commands({ from: first.number + Math.max(0, total - most), limit: most });
}

/** Begins as any caller would, by an evaluation that the history has. */
export async function check(
  session: Session,
  person: Client,
  { claim }: ParsedArgs<'world:check'>,
): Promise<Result<'world:check'>> {
  const asked = await finalCheckOf(session, claim === null ? {} : { claim });
  return { evaluation: session.evaluate({ client: person.key, kind: 'test', ...asked }).id };
}

/** Undoes as any caller would, by an evaluation that the history has. */
export async function undo(
  session: Session,
  person: Client,
  { command, alone }: ParsedArgs<'world:undo'>,
): Promise<Result<'world:undo'>> {
  const world = session.ability('world');
  const code = alone ? world.undoOneCode(command) : world.undoCode(command);
  const row = await session.evaluate({ client: person.key, kind: 'eval', code }).settled;
  return {
    evaluation: row.id,
    outcome: row.outcome,
    problem: row.condition?.message ?? null,
    lost: row.report?.proof?.lost ?? [],
  };
}
