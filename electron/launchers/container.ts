/** Starts Lisply backends in containers, by Docker's or Podman's command line, and ends them. */
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asFailure, HarborError } from '../contract/errors';
import type { Container, ContainerService } from '../contract/server';
import { runAlone, spawnAlone } from '../host/child-process';
import { realPath } from '../sandbox/real-path';
import { portArguments, publishedPort, runArguments, stopArguments } from './container-arguments';

/** Milliseconds between two questions whether a container has begun; its image may have to be fetched before. */
const PAUSE_MS = 200;

/** Characters of what a container has said last that are worth showing. */
const SHOWN = 2_000;

export interface StartedContainer {
  /** Ports of this computer at which its services are. */
  ports: ReadonlyMap<ContainerService | 'http', number>;
  /** Settles with what it said last when it has ended; never rejects. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export class Containers {
  readonly #program: string;

  /** @param program docker or podman, by its path */
  constructor(program: string) {
    this.#program = program;
  }

  /** The line by which a container is started, as a person would type it. */
  command(container: Container, name: string): string {
    const program = this.#program.replace(/^.*\//, '');
    return [program, ...runArguments(container, name)].join(' ');
  }

  /** Waits until its ports are published.
   * @throws HarborError `engine_failed` with what it said, `path_not_allowed` for a mount that is reached by a link */
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
          `The container did not start: ${(await running.ended) || 'it said nothing'}`,
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
    let said = '';
    const keep = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-SHOWN);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const running = { gone: false, ended: Promise.resolve('') };
    const closed = once(child, 'close');
    running.ended = once(child, 'exit')
      // What it said last; a helper of the program may hold the streams open.
      .then(() => Promise.race([closed, delay(PAUSE_MS, undefined, { ref: false })]))
      .then(
        () => said.trim(),
        (error: unknown) => asFailure(error).message,
      )
      .finally(() => {
        running.gone = true;
      });
    closed.catch(() => undefined);
    return running;
  }

  /** null when the container ends instead. */
  async #published(name: string, service: ContainerService | 'http', running: { gone: boolean }) {
    while (!running.gone) {
      const answer = await this.#ask(portArguments(name, service)).catch(() => '');
      const port = publishedPort(answer);
      if (port !== null) return port;
      await delay(PAUSE_MS, undefined, { ref: false });
    }
    return null;
  }

  /** @throws HarborError `engine_failed` when the container cannot be ended */
  async #stop(name: string, ended: Promise<string>): Promise<void> {
    try {
      await this.#ask(stopArguments(name));
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

  async #ask(args: readonly string[]): Promise<string> {
    return (await runAlone(this.#program, args)).stdout;
  }
}

/** Code may write around what a person named, and put a link there: the container's program would follow it. */
function checkMounts({ mounts }: Container): void {
  for (const { from } of mounts) {
    const real = realPath(from);
    if (real !== path.resolve(from))
      throw new HarborError(
        'path_not_allowed',
        `${from} is not mounted: it is reached by a link. Name the folder itself if that is meant: ${real}.`,
      );
  }
}
