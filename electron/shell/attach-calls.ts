/**
 * A person attaches a session to a server, or starts one in a container. The settings then name that server or container,
 * so that agents may use it as well.
 */

import type { SessionView } from '../contract/model';
import { type Container, isSameServer, type ServerAddress } from '../contract/server';
import type { WindowServices } from './window-services';

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

/** @throws HarborError as `Sessions.open` does; a container that does not start is not named */
export async function startContainer(services: Services, container: Container): Promise<SessionView> {
  const { sessions, person, project, readSettings, changeSettings } = services;
  const tell = (doing: string) => void sessions.events.emit('opening', doing);
  const session = await sessions.open({
    client: person.key,
    project: project(),
    engine: 'lisply',
    container,
    tell,
  });
  const others = readSettings().containers.filter(({ image }) => image !== container.image);
  changeSettings({ containers: [...others, container] });
  return session.view();
}
