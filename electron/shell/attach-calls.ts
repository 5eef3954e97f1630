/**
 * A person attaches a session to a server, or starts one in a container. The settings then name that server or container,
 * so that agents may use it as well.
 */

import type { SessionView } from '../contract/model';
import { type Container, isSameServer, type ServerAddress } from '../contract/server';
import type { WindowServices } from './window-services';

type Services = Pick<WindowServices, 'sessions' | 'person' | 'project' | 'settings'>;

/** @throws HarborError as `Sessions.open` does; a server that could not be attached to is not named */
export async function attachServer(services: Services, server: ServerAddress): Promise<SessionView> {
  const { sessions, person, project, settings } = services;
  const known = settings.current.servers.some((each) => isSameServer(each, server));
  if (!known) settings.change(({ servers }) => ({ servers: [...servers, server] }));
  try {
    const session = await sessions.open({ client: person.key, project: project(), server });
    return session.view();
  } catch (error) {
    const others = (named: ServerAddress[]) => named.filter((each) => !isSameServer(each, server));
    if (!known) settings.change(({ servers }) => ({ servers: others(servers) }));
    throw error;
  }
}

/** @throws HarborError as `Sessions.open` does; a container that does not start is not named */
export async function startContainer(services: Services, container: Container): Promise<SessionView> {
  const { sessions, person, project, settings } = services;
  const tell = (doing: string) => void sessions.events.emit('opening', doing);
  const session = await sessions.open({
    client: person.key,
    project: project(),
    engine: 'lisply',
    container,
    tell,
  });
  settings.change(({ containers }) => ({
    containers: [...containers.filter(({ image }) => image !== container.image), container],
  }));
  return session.view();
}
