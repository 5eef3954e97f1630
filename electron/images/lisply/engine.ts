/**
 * The engine `lisply`: attaches to any process with Lisply's three endpoints on this computer, such as Gendl
 * or GNU Emacs, or starts one in a container.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import type { EngineFound } from '../../contract/model';
import { note } from '../../contract/note';
import { addressText, type Container, type ServerAddress } from '../../contract/server';
import { Containers, type StartedContainer } from '../../launchers/container';
import { findProgram } from '../agent/programs';
import { findAttachable, howToAttach, isListening } from '../attachable-servers';
import type { AttachRequest, Engine, Image, ImageEnd, StartRequest } from '../image';
import { BackendClient } from './client';
import { LisplyImage } from './image';

const HOW = howToAttach(
  mention`Call ${ours('open_session', 'attach')} with a running backend as attach {"kind": "lisply", "url": "http://127.0.0.1:9081/lisply"}, or start one in a container with attach {"kind": "lisply", "image": "genworks/gendl"}.`,
  'The user must have named it (in the window by Attach…, or under "servers" or "containers" in settings.json), or is asked in the window.',
);

/** Maximum milliseconds for a ping. */
const PING_MS = 10_000;

export class LisplyEngine implements Engine {
  readonly name = 'lisply';
  /** The servers that the user named; called each time. */
  readonly #named: () => readonly ServerAddress[];
  readonly #searchPath: string;

  /** @param searchPath folders to search for Docker or Podman, as in PATH */
  constructor(named: () => readonly ServerAddress[], searchPath: string) {
    this.#named = named;
    this.#searchPath = searchPath;
  }

  discover(): Promise<EngineFound> {
    return findAttachable(this.name, HOW, this.#named());
  }

  async start(
    { container, package: packageName }: StartRequest,
    report: (doing: string) => void = () => undefined,
  ): Promise<Image> {
    if (!container) throw new HarborError('engine_unavailable', HOW.text, HOW);
    return startInContainer(container, { searchPath: this.#searchPath, packageName }, report);
  }

  async isReachable(server: ServerAddress): Promise<boolean> {
    return (await isListening(server)) !== false;
  }

  async attach({ server, package: packageName }: AttachRequest): Promise<Image> {
    const client = new BackendClient(server);
    const { status, body } = await client.ping(AbortSignal.timeout(PING_MS)).catch((error: unknown) => {
      client.close();
      throw error instanceof HarborError ? error : silent(server);
    });
    // Any non-empty answer counts, as in Lisply's wrappers.
    if (status === 200 && body.length > 0) return new LisplyImage(client, server, packageName);
    client.close();
    throw new HarborError(
      'engine_failed',
      `The process at ${addressText(server)} is not a Lisply backend: ${client.endpoint('ping-lisp')} answers with status ${status}.`,
    );
  }
}

function silent(server: ServerAddress): HarborError {
  return new HarborError(
    'engine_unavailable',
    `The backend at ${addressText(server)} did not answer in ${PING_MS / 1000} s.`,
  );
}

/** Milliseconds between pings of a starting backend. */
const PAUSE_MS = 200;

const INSTALL = 'Starting a container needs the command line of Docker or Podman, and neither was found.';

/** @throws HarborError `engine_unavailable` */
async function findContainers(searchPath: string): Promise<Containers> {
  const program = await findProgram(['docker', 'podman'], searchPath);
  if (program === undefined) throw new HarborError('engine_unavailable', INSTALL);
  return new Containers(program);
}

/**
 * Starts a backend in a container for a session, and ends it with the session. @throws HarborError
 * `engine_unavailable`, `engine_failed`
 */
async function startInContainer(
  container: Container,
  { searchPath, packageName }: { searchPath: string; packageName: string | undefined },
  report: (doing: string) => void,
): Promise<Image> {
  const containers = await findContainers(searchPath);
  const name = `lisp-harbor-${randomBytes(6).toString('hex')}`;
  const command = containers.command(container, name);
  report(command);
  const started = await containers.start(container, name);
  report('waiting for the backend in the container');
  const server: ServerAddress = {
    ...{ kind: 'lisply', host: '127.0.0.1', port: started.ports.get('http') ?? 0 },
    ...(container.prefix === undefined ? {} : { prefix: container.prefix }),
  };
  const client = new BackendClient(server);
  await untilReady(client, started);
  return new LisplyImage(client, server, packageName, {
    sandbox: { confined: true, launcher: 'container', network: true, reason: command },
    introduction: [note('introduction', introduction(container, command, started))],
    ended: endOf(started),
    stop: () => started.stop(),
  });
}

/** @throws HarborError `engine_failed` if the container ends before its backend answers */
async function untilReady(client: BackendClient, { ended }: StartedContainer): Promise<void> {
  const over = new AbortController();
  const lastOutput = ended.then((output) => {
    over.abort();
    return output;
  });
  while (!over.signal.aborted) {
    const answer = await client.ping(over.signal).catch(() => null);
    if (answer?.status === 200) return;
    await delay(PAUSE_MS, undefined, { ref: false });
  }
  client.close();
  throw new HarborError(
    'engine_failed',
    `The container ended before its backend answered: ${await lastOutput}`,
  );
}

async function endOf({ ended }: StartedContainer): Promise<ImageEnd> {
  const output = await ended;
  return { description: `the container ended${output ? `: ${output}` : ''}`, expected: false };
}

function introduction({ services }: Container, command: string, { ports }: StartedContainer): string {
  const others = services.map((service) => `${service} at 127.0.0.1:${ports.get(service) ?? '(no port)'}`);
  const also = others.length > 0 ? ` It also serves ${others.join(', ')}.` : '';
  return `started in a container, which has a network and ends with this session: ${command}.${also}`;
}
