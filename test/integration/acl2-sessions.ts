/** Sessions of ACL2 without endpoints: real processes, a real history. */
import { Engines } from '../../electron/images/discovery';
import type { Session } from '../../electron/sessions/session/session';
import { engine } from './acl2-fixture';
import {
  evaluate,
  type SessionsFixture,
  type SessionsFixtureOptions,
  sessionsFixture,
} from './sessions-fixture';

export function acl2Sessions(options: Pick<SessionsFixtureOptions, 'keepReady'> = {}): SessionsFixture {
  return sessionsFixture({ ...options, instead: { engines: new Engines([engine], () => undefined) } });
}

/** Evaluates as a client's `eval` would; answers the closed row. */
export function run(session: Session, code: string) {
  return evaluate(session, code).settled;
}

/** The names in the session's world, oldest first. */
export async function names(session: Session): Promise<string[]> {
  const { commands } = await session.ability('world').commands({ limit: 1_000 });
  return commands.flatMap(({ events }) => events.flatMap((event) => event.names));
}
