/**
 * The words after `docker` or `podman` that start a Lisply backend in a container, and ask for and end it. Pure. The variables
 * are those of Lisply Backend Requirements; ports are published on this computer only, wherever it has a free one.
 */
import type { Container, ContainerService, Mount } from '../contract/server';

/** Ports inside of a container. */
export const CONTAINER_PORTS: Readonly<Record<ContainerService | 'http', number>> = {
  http: 9080,
  https: 9443,
  swank: 4200,
  telnet: 4023,
};

const SERVICES = ['http', 'https', 'swank', 'telnet'] as const;

/** In the foreground, so that the container's end is told, and removed when it has ended. */
export function runArguments({ image, mounts, services }: Container, name: string): string[] {
  const open = ['http', ...services];
  return [
    ...['run', '--rm', '--name', name],
    ...SERVICES.flatMap((service) => variables(service, open.includes(service))),
    ...SERVICES.filter((service) => open.includes(service)).flatMap((service) => [
      '--publish',
      `127.0.0.1::${CONTAINER_PORTS[service]}`,
    ]),
    ...mounts.flatMap((mount) => ['--volume', volume(mount)]),
    image,
  ];
}

/** Asks where a service of a running container is published. */
export function portArguments(name: string, service: ContainerService | 'http'): string[] {
  return ['port', name, `${CONTAINER_PORTS[service]}/tcp`];
}

/** Ends it, by force when it has not ended in these seconds. */
export function stopArguments(name: string): string[] {
  return ['stop', '--time', '2', name];
}

/** The port in what `port` answers, such as `127.0.0.1:49153`; null when it is not published. */
export function publishedPort(answer: string): number | null {
  const port = /^127\.0\.0\.1:(\d+)$/m.exec(answer)?.[1];
  return port === undefined ? null : Number(port);
}

/** `START_SWANK=false` for what is not wanted: a port alone opens nothing. */
function variables(service: (typeof SERVICES)[number], wanted: boolean): string[] {
  const name = service.toUpperCase();
  const port = ['--env', `${name}_PORT=${CONTAINER_PORTS[service]}`];
  return ['--env', `START_${name}=${wanted}`, ...(wanted ? port : [])];
}

function volume({ from, to, write }: Mount): string {
  return `${from}:${to}${write ? '' : ':ro'}`;
}
