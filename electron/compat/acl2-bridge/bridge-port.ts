/** The port and the socket of the ACL2 Bridge. Each connection has its own world. */

import type { Socket } from 'node:net';
import type { CallResult, Gate } from '../../access/gate';
import type { Grant } from '../../contract/approvals';
import { asFailure, HarborError } from '../../contract/errors';
import type { Acl2BridgeView } from '../../contract/harbor-status';
import type { Client, Evaluation } from '../../contract/model';
import { LOOPBACK, LoopbackSockets, type ProtocolPort } from '../../endpoints/loopback';

import type { Log } from '../../host/log';
import {
  CommandReader,
  type Incoming,
  MAX_CONTENT_BYTES,
  MAX_HEADER_BYTES,
  MessageWriter,
} from './bridge-frames';
import {
  type CommandType,
  failed,
  isCommandType,
  MAX_VALUE_LENGTH,
  type Message,
  replyTo,
  unknownType,
} from './bridge-reply';

interface BridgePortOptions extends ConnectionServices {
  /** Creates the world of one connection. */
  newWorld: () => BridgeWorld;
  /** Called when `view` has changed. */
  changed: () => void;
}

export class BridgePort implements ProtocolPort<Acl2BridgeView | null> {
  readonly #options: BridgePortOptions;
  readonly #sockets: LoopbackSockets;
  readonly #socket: LoopbackSockets;
  #workers = 0;

  constructor(options: BridgePortOptions) {
    this.#options = options;
    const serve = async (socket: Socket, known: () => void) => this.#serve(socket, known);
    const { changed } = options;
    this.#sockets = new LoopbackSockets({ option: '--bridge-port', serve, changed });
    this.#socket = new LoopbackSockets({ option: '--bridge-socket', serve, changed });
  }

  /** null while the port is closed. */
  get view(): Acl2BridgeView | null {
    const { port } = this.#sockets;
    const { path: socket } = this.#socket;
    const connections = this.#sockets.connections + this.#socket.connections;
    return port === null && socket === null ? null : { host: LOOPBACK, port, socket, connections };
  }

  get addresses(): string[] {
    const { port } = this.#sockets;
    const { path: socket } = this.#socket;
    return [
      ...(port === null ? [] : [`acl2-bridge://${LOOPBACK}:${port}`]),
      ...(socket === null ? [] : [socket]),
    ];
  }

  listen(port: number): Promise<void> {
    return this.#sockets.listen(port);
  }

  /**
   * Listens also at a unix socket, which only this user can open.
   * @throws HarborError `bad_arguments`, `port_in_use`
   */
  listenAt(path: string): Promise<void> {
    return this.#socket.listenAt(path);
  }

  async close(): Promise<void> {
    await Promise.all([this.#sockets.close(), this.#socket.close()]);
  }

  #serve(socket: Socket, known: () => void): void {
    const { newWorld, changed: _changed, ...services } = this.#options;
    new BridgeConnection(socket, newWorld(), services).serve(`bridge-worker-${this.#workers}`, known);
    this.#workers += 1;
  }
}

// One client of the ACL2 Bridge. Its commands are evaluated in order in a world of its own; output is sent
// while they run. Closing the connection interrupts the evaluation and ends the world.

/** Evaluates the commands of one connection. */
interface BridgeWorld {
  /** Resolves when the world is lost. */
  readonly closed: Promise<void>;
  /**
   * Evaluates a command. Values are printed as data, at most `maxChars` characters of each.
   * @throws HarborError why there is no ACL2
   */
  evaluate(
    grant: Grant | null,
    command: string,
    maxChars: number,
    print: (text: string) => void,
  ): Promise<Evaluation>;
  /** Interrupts the evaluation and ends the world. */
  end(): Promise<void>;
}

interface ConnectionServices {
  gate: Gate;
  /** The client of the evaluations. */
  client: Client;
  log: Log;
}

/** Approximate maximum bytes of commands queued behind a running one. */
const MAX_QUEUE_BYTES = 2 * MAX_CONTENT_BYTES;

interface Answered extends CallResult {
  message: Message;
}

class BridgeConnection {
  readonly #socket: Socket;
  readonly #world: BridgeWorld;
  readonly #services: ConnectionServices;
  readonly #messages: MessageWriter;
  readonly #reader = new CommandReader();
  readonly #queue: Incoming[] = [];
  #queued = 0;
  #working = false;
  #worldClosed = false;

  constructor(socket: Socket, world: BridgeWorld, services: ConnectionServices) {
    this.#socket = socket;
    this.#messages = new MessageWriter(socket);
    this.#world = world;
    this.#services = services;
  }

  /**
   * Sends the greeting and serves.
   * @param name name of the worker in the greeting
   * @param known called when a complete command has arrived
   */
  serve(name: string, known: () => void): void {
    const socket = this.#socket;
    socket.on('data', (chunk) => this.#take(chunk, known));
    // A disconnected peer is not an error.
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.once('close', () => void this.#closed());
    void this.#world.closed.then(() => this.#lost());
    this.#messages.send('ACL2_BRIDGE_HELLO', name);
    this.#messages.send('READY', '');
  }

  #take(chunk: Buffer, known: () => void): void {
    for (const incoming of this.#reader.read(chunk)) {
      if (incoming.kind === 'foreign') return void this.#socket.destroy();
      if (incoming.kind === 'command') known();
      this.#queue.push(incoming);
      this.#queued += sizeOf(incoming);
    }
    if (this.#queued > MAX_QUEUE_BYTES)
      this.#refuse('Too many commands were sent without waiting for their results.');
    else void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let next = this.#queue.shift(); next && !this.#worldClosed; next = this.#queue.shift()) {
      this.#queued -= sizeOf(next);
      const { type, content } = await this.#answer(next);
      this.#messages.send(type, content);
      if (!this.#worldClosed) this.#messages.send('READY', '');
    }
    this.#working = false;
    if (this.#worldClosed) this.#socket.end();
  }

  async #answer(incoming: Incoming): Promise<Message> {
    if (incoming.kind === 'invalid') return failed('read-command', incoming.problem);
    const { type, content } = incoming;
    if (!isCommandType(type)) return unknownType(type);
    try {
      return await this.#evaluate(type, content);
    } catch (error) {
      if (!(error instanceof HarborError))
        this.#services.log.error('A command of the ACL2 Bridge failed', error);
      return failed('executing command', asFailure(error).message);
    }
  }

  async #evaluate(type: CommandType, code: string): Promise<Message> {
    const { gate, client } = this.#services;
    const call = {
      client,
      endpoint: 'acl2-bridge',
      tool: 'eval',
      scope: 'evaluate',
      args: { type, code },
    } as const;
    const { message } = await gate.run<Answered>(call, async (grant) => {
      const evaluation = await this.#world.evaluate(grant, code, MAX_VALUE_LENGTH + 1, (text) =>
        this.#messages.print(text),
      );
      const reply = replyTo(type, evaluation);
      return { message: reply, isError: reply.type === 'ERROR', evaluation: evaluation.id };
    });
    return message;
  }

  #refuse(why: string): void {
    const { type, content } = failed('read-command', why);
    this.#messages.send(type, content);
    this.#socket.pause().end(() => this.#socket.destroy());
  }

  /**
   * Closes the connection when its world is lost. A client assumes that both are the same, so a new world
   * would go unnoticed.
   */
  #lost(): void {
    this.#worldClosed = true;
    if (!this.#working) this.#socket.end();
  }

  async #closed(): Promise<void> {
    this.#queue.length = 0;
    await this.#world.end().catch((error: unknown) => {
      this.#services.log.error('A session of the ACL2 Bridge could not be ended', error);
    });
  }
}

function sizeOf(incoming: Incoming): number {
  return MAX_HEADER_BYTES + (incoming.kind === 'command' ? incoming.content.length : 0);
}
