/** Lisply backends in containers: started for a session, spoken with like any other, ended with it. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../../contract/errors';
import type { Container, ServerAddress } from '../../contract/server';
import { Containers, type StartedContainer } from '../../launchers/container';
import { findProgram } from '../agent/programs';
import type { Image, ImageEnd } from '../image';
import { BackendClient } from './client';
import { LisplyImage } from './image';

/** Milliseconds between two questions whether the backend answers by now. */
const PAUSE_MS = 200;

const INSTALL = 'Docker’s or Podman’s command line is needed to start a container, and neither was found.';

/** @throws HarborError `engine_unavailable` */
export async function findContainers(searchPath: string): Promise<Containers> {
  const program = await findProgram(['docker', 'podman'], searchPath);
  if (program === undefined) throw new HarborError('engine_unavailable', INSTALL);
  return new Containers(program);
}

/** An image whose process is the container. @throws HarborError `engine_unavailable`, `engine_failed` */
export async function startInContainer(
  container: Container,
  { searchPath, packageName }: { searchPath: string; packageName: string | undefined },
  tell: (doing: string) => void,
): Promise<Image> {
  const containers = await findContainers(searchPath);
  const name = `lisp-harbor-${randomBytes(6).toString('hex')}`;
  const command = containers.command(container, name);
  tell(command);
  const started = await containers.start(container, name);
  tell('waiting for the backend in the container');
  const server: ServerAddress = {
    ...{ kind: 'lisply', host: '127.0.0.1', port: started.ports.get('http') ?? 0 },
    ...(container.prefix === undefined ? {} : { prefix: container.prefix }),
  };
  const client = new BackendClient(server);
  await untilReady(client, started);
  return new LisplyImage(client, server, packageName, {
    sandbox: { confined: true, launcher: 'container', network: true, reason: command },
    introduction: introduction(container, command, started),
    ended: endOf(started),
    stop: () => started.stop(),
  });
}

/** @throws HarborError `engine_failed` when the container ends before its backend answers */
async function untilReady(client: BackendClient, { ended }: StartedContainer): Promise<void> {
  const over = new AbortController();
  const gone = ended.then((said) => {
    over.abort();
    return said;
  });
  while (!over.signal.aborted) {
    const answer = await client.ping(over.signal).catch(() => null);
    if (answer?.status === 200) return;
    await delay(PAUSE_MS, undefined, { ref: false });
  }
  client.close();
  throw new HarborError('engine_failed', `The container ended before its backend answered: ${await gone}`);
}

async function endOf({ ended }: StartedContainer): Promise<ImageEnd> {
  const said = await ended;
  return { description: `the container ended${said ? `: ${said}` : ''}`, expected: false };
}

function introduction({ services }: Container, command: string, { ports }: StartedContainer): string {
  const others = services.map((service) => `${service} at 127.0.0.1:${ports.get(service) ?? '(no port)'}`);
  const also = others.length > 0 ? ` It also serves ${others.join(', ')}.` : '';
  return `started in a container, which has a network and ends with this session: ${command}.${also}`;
}
