/** Starts and stops Lisply backends in containers, through the command line of Docker or Podman. */

import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asFailure, HarborError } from '../contract/errors';
import type { Container, ContainerService, Mount } from '../contract/server';
import { runAlone, spawnAlone } from '../host/child-process';
import { realPath } from '../sandbox/paths';

/** Milliseconds between checks whether a container has started; its image may have to be downloaded first. */
const PAUSE_MS = 200;

/** Maximum characters of a container's last output in a message. */
const SHOWN = 2_000;

export interface StartedContainer {
  /** Ports on this computer where its services are published. */
  ports: ReadonlyMap<ContainerService | 'http', number>;
  /** Resolves with its last output when it has ended; never rejects. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export class Containers {
  readonly #program: string;

  /** @param program path of docker or podman */
  constructor(program: string) {
    this.#program = program;
  }

  /** Returns the command line that starts a container, as a user would type it. */
  command(container: Container, name: string): string {
    const program = this.#program.replace(/^.*\//, '');
    return [program, ...runArguments(container, name)].join(' ');
  }

  /**
   * Starts a container and waits until its ports are published.
   * @throws HarborError `engine_failed` with its output, `path_not_allowed` for a mount that is reached
   *   through a link
   */
  async start(container: Container, name: string): Promise<StartedContainer> {
    checkMounts(container);
    const running = this.#run(container, name);
    const ports = new Map<ContainerService | 'http', number>();
    for (const service of ['http', ...container.services] as const) {
      const port = await this.#published(name, service, running);
      if (port === null) {
        await this.#stop(name, running.ended);
        throw new HarborError(
          'engine_failed',
          `The container did not start: ${(await running.ended) || 'no output'}`,
        );
      }
      ports.set(service, port);
    }
    return { ports, ended: running.ended, stop: () => this.#stop(name, running.ended) };
  }

  #run(container: Container, name: string) {
    const child = spawnAlone(this.#program, runArguments(container, name), {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const append = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-SHOWN);
    };
    child.stdout?.on('data', append);
    child.stderr?.on('data', append);
    const running = { hasEnded: false, ended: Promise.resolve('') };
    const closed = once(child, 'close');
    running.ended = once(child, 'exit')
      // Waits for its last output; a helper process may keep the streams open.
      .then(() => Promise.race([closed, delay(PAUSE_MS, undefined, { ref: false })]))
      .then(
        () => output.trim(),
        (error: unknown) => asFailure(error).message,
      )
      .finally(() => {
        running.hasEnded = true;
      });
    closed.catch(() => undefined);
    return running;
  }

  /** Returns null if the container ends instead. */
  async #published(name: string, service: ContainerService | 'http', running: { hasEnded: boolean }) {
    while (!running.hasEnded) {
      const answer = await this.#query(portArguments(name, service)).catch(() => '');
      const port = publishedPort(answer);
      if (port !== null) return port;
      await delay(PAUSE_MS, undefined, { ref: false });
    }
    return null;
  }

  /** @throws HarborError `engine_failed` if the container cannot be stopped */
  async #stop(name: string, ended: Promise<string>): Promise<void> {
    try {
      await this.#query(stopArguments(name));
    } catch (error) {
      const over = await Promise.race([ended.then(() => true), delay(PAUSE_MS, false, { ref: false })]);
      if (over) return;
      throw new HarborError(
        'engine_failed',
        `The container ${name} could not be stopped: ${asFailure(error).message}`,
      );
    }
    await ended;
  }

  async #query(args: readonly string[]): Promise<string> {
    return (await runAlone(this.#program, args)).stdout;
  }
}

/**
 * Refuses mounts behind a link: sandboxed code may have created it, and the container program would follow
 * it.
 */
function checkMounts({ mounts }: Container): void {
  for (const { from } of mounts) {
    const real = realPath(from);
    if (real !== path.resolve(from))
      throw new HarborError(
        'path_not_allowed',
        `${from} is not mounted: it is reached through a symbolic link. If you mean its target, name it: ${real}.`,
      );
  }
}

/** Ports inside a container. */
const CONTAINER_PORTS: Readonly<Record<ContainerService | 'http', number>> = {
  http: 9080,
  https: 9443,
  swank: 4200,
  telnet: 4023,
};

const SERVICES = ['http', 'https', 'swank', 'telnet'] as const;

/**
 * Returns the arguments of `docker run` or `podman run` for a Lisply backend: in the foreground, so that its
 * end is noticed, and removed when it ends. Variables follow the Lisply Backend Requirements; ports are
 * published on 127.0.0.1 only, at any free port.
 */
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

/** Arguments that query where a service of a running container is published. */
function portArguments(name: string, service: ContainerService | 'http'): string[] {
  return ['port', name, `${CONTAINER_PORTS[service]}/tcp`];
}

/** Arguments that stop it, by force after two seconds. */
export function stopArguments(name: string): string[] {
  return ['stop', '--time', '2', name];
}

/** Parses the output of `port`, such as `127.0.0.1:49153`; null if the port is not published. */
export function publishedPort(answer: string): number | null {
  const port = /^127\.0\.0\.1:(\d+)$/m.exec(answer)?.[1];
  return port === undefined ? null : Number(port);
}

/** Sets `START_SWANK=false` for services that are not wanted; a port variable alone starts nothing. */
function variables(service: (typeof SERVICES)[number], wanted: boolean): string[] {
  const name = service.toUpperCase();
  const port = ['--env', `${name}_PORT=${CONTAINER_PORTS[service]}`];
  return ['--env', `START_${name}=${wanted}`, ...(wanted ? port : [])];
}

function volume({ from, to, write }: Mount): string {
  return `${from}:${to}${write ? '' : ':ro'}`;
}
