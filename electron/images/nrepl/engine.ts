/** The engine `nrepl`: attaches to running nREPL servers of Clojure and its relatives. */

import type net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { asFailure, HarborError } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import type { EngineFound } from '../../contract/model';
import { note } from '../../contract/note';
import { addressText, type ServerAddress } from '../../contract/server';
import { addListeners, onAbort } from '../../host/listeners';
import { ATTACHED_SANDBOX, connect, findAttachable, howToAttach, isListening } from '../attachable-servers';
import type { AttachRequest, Engine, Image, ImageEnd } from '../image';
import { ImageOutput } from '../image-output';
import type { Heartbeat } from '../optional-groups';
import { describeServer, NreplClient, type ServerFacts } from './client';
import { lateOutput, NreplImage } from './image';

interface NreplOptions {
  /** Folder of our own Clojure code for queries, `resources/clojure`. */
  questions: string;
  /** The servers that the user named; called each time. */
  named: () => readonly ServerAddress[];
  /** Milliseconds between heartbeats. */
  heartbeatMs: () => number;
  /** Maximum milliseconds without any data while connecting. */
  silenceMs?: number;
}

const HOW = howToAttach(
  mention`Call ${ours('open_session', 'attach')} with attach {"kind": "nrepl"}, which looks for the port file of the project (.nrepl-port), or with the port of a server.`,
  'The user must have named the server (in the window by Attach…, or under "servers" in settings.json) or is asked in the window.',
);

/** A JVM that is just starting is slow; the caller gets an answer within 20 s. */
const SILENCE_MS = 15_000;

/** Advice for the most common causes of a failed connection. */
const CHECKS =
  'Check that the server is running and that .nrepl-port in the project contains its port, or pass its host and port.';

export class NreplEngine implements Engine {
  readonly name = 'nrepl';
  readonly #options: NreplOptions;

  constructor(options: NreplOptions) {
    this.#options = options;
  }

  discover(): Promise<EngineFound> {
    return findAttachable(this.name, HOW, this.#options.named());
  }

  async start(): Promise<Image> {
    throw new HarborError('engine_unavailable', HOW.text, HOW);
  }

  async isReachable(server: ServerAddress): Promise<boolean> {
    return (await isListening(server)) !== false;
  }

  async attach({ server, package: packageName }: AttachRequest): Promise<Image> {
    const output = new ImageOutput();
    const socket = await connected(server);
    const client = new NreplClient(socket, { onUnrouted: lateOutput(output) });
    const { silenceMs = SILENCE_MS } = this.#options;
    const silence = new Silence(socket, silenceMs, () => void client.close());
    try {
      return await this.#introduced(server, client, output, packageName);
    } catch (error) {
      if (!silence.over) throw error;
      throw new HarborError(
        'engine_failed',
        `The process at ${addressText(server)} accepted the connection and sent nothing for ${silenceMs / 1000} s. ${CHECKS}`,
      );
    } finally {
      silence.end();
    }
  }

  async #introduced(
    address: ServerAddress,
    client: NreplClient,
    output: ImageOutput,
    packageName: string | undefined,
  ): Promise<Image> {
    const facts = await describeServer(client);
    const heartbeat = new NreplHeartbeat(address, facts?.ops.size ?? 0, this.#options.heartbeatMs());
    const connection = new Connection(client, address, heartbeat);
    const image =
      facts &&
      (await NreplImage.on(
        {
          engine: this.name,
          client,
          facts,
          output,
          sandbox: ATTACHED_SANDBOX,
          introduction: [note('introduction', introduction(facts, address))],
          ended: connection.ended,
          // The server's process is not ours to observe, whatever it reports.
          usage: async () => null,
          end: () => connection.end(),
          questions: this.#options.questions,
          heartbeat,
        },
        packageName,
      ));
    if (image) {
      connection.watch();
      return image;
    }
    await connection.end();
    throw new HarborError(
      'engine_failed',
      `The process at ${addressText(address)} does not respond like an nREPL server.`,
    );
  }
}

/** @throws HarborError `engine_unavailable` */
async function connected(address: ServerAddress): Promise<net.Socket> {
  try {
    return await connect(address);
  } catch (error) {
    throw new HarborError('engine_unavailable', `${asFailure(error).message} ${CHECKS}`);
  }
}

/** Advice for code in VS Code's extension host. */
const IN_VSCODE =
  ' It runs inside VS Code: code that does not return blocks VS Code, and cannot be interrupted.';

function introduction({ description, nbb, joyride }: ServerFacts, address: ServerAddress): string {
  const shared = nbb
    ? 'Its sessions share everything, including the namespace.'
    : 'Vars are shared with all clients; namespace, *1 and bindings are private to this session.';
  return `attached to ${description} at ${addressText(address)}. ${shared}${joyride ? IN_VSCODE : ''} Closing this session leaves the server running.`;
}

/** Our connection to a foreign server; ending it only closes the connection. */
class Connection {
  readonly ended: Promise<ImageEnd>;
  readonly #client: NreplClient;
  readonly #address: ServerAddress;
  readonly #heartbeat: NreplHeartbeat;
  readonly #stop = new AbortController();
  #watching: Promise<void> | null = null;

  constructor(client: NreplClient, address: ServerAddress, heartbeat: NreplHeartbeat) {
    this.#client = client;
    this.#address = address;
    this.#heartbeat = heartbeat;
    this.ended = client.ended.then((reason) => this.#describe(reason));
  }

  /** Starts a heartbeat on a second connection, and closes the first one when it fails. */
  watch(): void {
    this.#watching = this.#watch();
  }

  async #watch(): Promise<void> {
    const socket = await connect(this.#address).catch(() => null);
    if (!socket) return this.#heartbeat.fail();
    const client = new NreplClient(socket);
    const lost = await this.#heartbeat.watch(client, this.#stop.signal);
    if (lost) void this.#client.close('the server does not respond any more');
    await client.close();
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#client.close(), this.#watching, this.ended]);
  }

  #describe(reason: string): ImageEnd {
    const expected = this.#stop.signal.aborted;
    this.#stop.abort();
    const at = addressText(this.#address);
    const description = expected
      ? `the connection to the nREPL server at ${at} was closed`
      : `The nREPL server at ${at} is lost: ${reason}`;
    return { description, expected };
  }
}

/** Maximum milliseconds for an answer. */
const ANSWER_MS = 15_000;

class NreplHeartbeat implements Heartbeat {
  readonly server: ServerAddress;
  readonly operations: number;
  lastAt: number | null = null;
  failures = 0;
  readonly #every: number;

  /**
   * Checks periodically whether the server responds, on its own connection, so that evaluations do not delay
   * it.
   * @param every milliseconds between two requests
   */
  constructor(server: ServerAddress, operations: number, every: number) {
    this.server = server;
    this.operations = operations;
    this.#every = every;
  }

  /** Records that there is no connection for the heartbeat. */
  fail(): void {
    this.failures += 1;
  }

  /**
   * Sends requests until `stop` is aborted. Resolves with true if an answer is missing: the server is lost or
   * stuck.
   */
  async watch(client: NreplClient, stop: AbortSignal): Promise<boolean> {
    const stopped = new Promise<null>((resolve) => onAbort(stop, () => resolve(null)));
    while (!stop.aborted) {
      const late = delay(ANSWER_MS, null, { ref: false });
      const answer = await Promise.race([client.request({ op: 'describe' }), late, stopped]);
      if (stop.aborted) return false;
      if (!answer?.done) {
        this.fail();
        return true;
      }
      this.lastAt = Date.now();
      const pause = delay(this.#every, undefined, { ref: false, signal: stop }).catch(() => undefined);
      await Promise.race([pause, client.ended]);
    }
    return false;
  }
}

/** Detects a server that sends nothing for too long while we connect. */
class Silence {
  readonly #timer: NodeJS.Timeout;
  readonly #removeListener: () => void;
  #over = false;

  /** @param giveUp called when the time is over */
  constructor(socket: net.Socket, milliseconds: number, giveUp: () => void) {
    this.#timer = setTimeout(() => {
      this.#over = true;
      giveUp();
    }, milliseconds);
    this.#removeListener = addListeners(socket, (on) => on('data', () => void this.#timer.refresh()));
  }

  /** Whether the time is over. */
  get over(): boolean {
    return this.#over;
  }

  /** Stops watching. */
  end(): void {
    clearTimeout(this.#timer);
    this.#removeListener();
  }
}
