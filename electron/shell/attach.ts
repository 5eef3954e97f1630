/** A person attaches a session to a server, and thereby names it: from then on agents may as well. */
import type { SessionView } from '../contract/model';
import { isSameServer, type ServerAddress } from '../contract/server';
import type { WindowServices } from './calls';

type Services = Pick<WindowServices, 'sessions' | 'person' | 'project' | 'readSettings' | 'changeSettings'>;

/** @throws HarborError as `Sessions.open` does; a server that could not be attached to is not named */
export async function attachServer(services: Services, server: ServerAddress): Promise<SessionView> {
  const { sessions, person, project, readSettings, changeSettings } = services;
  const { servers } = readSettings();
  const known = servers.some((each) => isSameServer(each, server));
  if (!known) changeSettings({ servers: [...servers, server] });
  try {
    const session = await sessions.open({ client: person.key, project: project(), server });
    return session.view();
  } catch (error) {
    const others = readSettings().servers.filter((each) => !isSameServer(each, server));
    if (!known) changeSettings({ servers: others });
    throw error;
  }
}
