/**
 * One client of the ACL2 Bridge. Its commands are evaluated one after another in a world of its own; what they print is
 * sent while they run. Closing the connection interrupts what runs and ends the world.
 */
import type { Socket } from 'node:net';
import type { CallResult, Gate } from '../../access/gate';
import { asFailure, HarborError } from '../../contract/errors';
import type { Client, Evaluation } from '../../contract/model';
import type { Log } from '../../host/log';
import { CommandReader, type Incoming, LONGEST_CONTENT, LONGEST_HEADER } from './bridge-frames';
import {
  type CommandType,
  failed,
  isCommandType,
  LONGEST_VALUE,
  type Message,
  replyTo,
  unknownType,
} from './bridge-reply';
import { MessageWriter } from './message-writer';

/** Where the commands of one connection are evaluated. */
export interface BridgeWorld {
  /** Settles when the world is lost. */
  readonly gone: Promise<void>;
  /**
   * Values are printed as data, `maxChars` characters of each at most.
   * @throws HarborError why there is no ACL2
   */
  evaluate(command: string, maxChars: number, print: (text: string) => void): Promise<Evaluation>;
  /** Interrupts what runs and gives the world up. */
  end(): Promise<void>;
}

export interface ConnectionServices {
  gate: Gate;
  /** In whose name commands are evaluated. */
  client: Client;
  log: Log;
}

/** About how many bytes of commands may wait while one runs. */
const LONGEST_QUEUE = 2 * LONGEST_CONTENT;

interface Answered extends CallResult {
  message: Message;
}

export class BridgeConnection {
  readonly #socket: Socket;
  readonly #world: BridgeWorld;
  readonly #services: ConnectionServices;
  readonly #messages: MessageWriter;
  readonly #reader = new CommandReader();
  readonly #queue: Incoming[] = [];
  #queued = 0;
  #working = false;
  #worldIsGone = false;

  constructor(socket: Socket, world: BridgeWorld, services: ConnectionServices) {
    this.#socket = socket;
    this.#messages = new MessageWriter(socket);
    this.#world = world;
    this.#services = services;
  }

  /** Greets and serves.
   * @param name of the worker, which the greeting tells
   * @param known called when a command has come whole */
  serve(name: string, known: () => void): void {
    const socket = this.#socket;
    socket.on('data', (chunk) => this.#take(chunk, known));
    // A peer that went away is no news.
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.once('close', () => void this.#closed());
    void this.#world.gone.then(() => this.#lost());
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
    if (this.#queued > LONGEST_QUEUE) this.#refuse('Too many commands were sent before they were asked for.');
    else void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let next = this.#queue.shift(); next && !this.#worldIsGone; next = this.#queue.shift()) {
      this.#queued -= sizeOf(next);
      const { type, content } = await this.#answer(next);
      this.#messages.send(type, content);
      if (!this.#worldIsGone) this.#messages.send('READY', '');
    }
    this.#working = false;
    if (this.#worldIsGone) this.#socket.end();
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
    const { message } = await gate.run<Answered>(call, async () => {
      const evaluation = await this.#world.evaluate(code, LONGEST_VALUE + 1, (text) =>
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

  /** A client takes its connection for its world: one without the other would be another world unnoticed. */
  #lost(): void {
    this.#worldIsGone = true;
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
  return LONGEST_HEADER + (incoming.kind === 'command' ? incoming.content.length : 0);
}
