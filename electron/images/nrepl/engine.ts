/** The engine `nrepl`: Clojure and its relatives that somebody else started, with an nREPL server. */
import type net from 'node:net';
import { asFailure, HarborError } from '../../contract/errors';
import type { EngineFound } from '../../contract/model';
import { addressText, type ServerAddress } from '../../contract/server';
import { ATTACHED, attachable } from '../attachable';
import { connect } from '../connect';
import type { AttachRequest, Engine, Image, ImageEnd } from '../image';
import { ImageOutput } from '../image-output';
import { listens } from '../listening-ports';
import { NreplClient } from './client';
import { NreplHeartbeat } from './heartbeat';
import { lateOutput, NreplImage } from './image';
import { describeServer, type ServerFacts } from './server-facts';
import { Silence } from './silence';

export interface NreplOptions {
  /** Folder of our own Clojure code for questions, `resources/clojure`. */
  questions: string;
  /** The servers that a person named, asked each time. */
  named: () => readonly ServerAddress[];
  /** Milliseconds between two questions whether the server is there. */
  heartbeatMs: () => number;
  /** Milliseconds in which a server that took our connection must say something. */
  silenceMs?: number;
}

const HOW =
  'Not started but attached to. `open_session` takes it as attach {"kind": "nrepl"}, which looks for the port file of the project (.nrepl-port), or with the port of a server that a person named (in the window by Attach…, or under "servers" in settings.json) or is asked about in the window.';

/** A Java that is just starting is slow; who waits for the tool is told within 20 s. */
const SILENCE_MS = 15_000;

/** What is wrong where no server answers, from what is most often so. */
const CHECKS =
  'Check that the server runs, that .nrepl-port in the project names its port, and otherwise give its host and port.';

export class NreplEngine implements Engine {
  readonly name = 'nrepl';
  readonly #options: NreplOptions;

  constructor(options: NreplOptions) {
    this.#options = options;
  }

  discover(): Promise<EngineFound> {
    return attachable(this.name, HOW, this.#options.named());
  }

  async start(): Promise<Image> {
    throw new HarborError('engine_unavailable', HOW);
  }

  async isThere(server: ServerAddress): Promise<boolean> {
    return (await listens(server)) !== false;
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
        `What listens at ${addressText(server)} took the connection and said nothing for ${silenceMs / 1000} s. ${CHECKS}`,
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
          sandbox: ATTACHED,
          introduction: introduction(facts, address),
          ended: connection.ended,
          // Whatever the server says of its process, it is not ours to watch.
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
      `What listens at ${addressText(address)} does not answer as an nREPL server does.`,
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

/** What code in VS Code's extension host must not do. */
const IN_VSCODE =
  ' It runs inside VS Code: code that does not come back holds VS Code up, and nothing interrupts it.';

function introduction({ description, nbb, joyride }: ServerFacts, address: ServerAddress): string {
  const shared = nbb
    ? 'Its sessions share everything, the namespace included.'
    : 'Vars are shared with all who use it; namespace, *1 and bindings are this session’s own.';
  return `attached to ${description} at ${addressText(address)}. ${shared}${joyride ? IN_VSCODE : ''} Closing this session leaves it running.`;
}

/** Our side of a server that is not ours: ending it closes the connection. */
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

  /** Gives the connection up when the server does not answer on another one. */
  watch(): void {
    this.#watching = this.#watch();
  }

  async #watch(): Promise<void> {
    const socket = await connect(this.#address).catch(() => null);
    if (!socket) return this.#heartbeat.fail();
    const client = new NreplClient(socket);
    const lost = await this.#heartbeat.watch(client, this.#stop.signal);
    if (lost) void this.#client.close('the server does not answer any more');
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
