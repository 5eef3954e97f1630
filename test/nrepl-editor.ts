/** A client of an nREPL port, which sends what editors send, in any order. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BencodeDecoder, type BencodeDictionary, type BencodeValue, encode } from '../electron/host/bencode';

/** An image may have to be started, on a busy machine. */
const WAITING_MS = 100_000;

export interface Reply {
  /** Its messages, in order. */
  messages: BencodeDictionary[];
  values: string[];
  out: string;
  err: string;
  status: string[];
}

export class NreplEditor {
  readonly socket: Socket;
  readonly received: BencodeDictionary[] = [];
  readonly #decoder = new BencodeDecoder();
  #ids = 0;

  static async on(port: number): Promise<NreplEditor> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new NreplEditor(socket);
  }

  private constructor(socket: Socket) {
    this.socket = socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const value of this.#decoder.read(chunk)) this.received.push(value as BencodeDictionary);
    });
  }

  /** Sends a request and returns its id. */
  send(request: Record<string, BencodeValue>): string {
    this.#ids += 1;
    const id = String(this.#ids);
    this.socket.write(encode({ ...request, id }));
    return id;
  }

  /** What has come for the request so far. */
  replyTo(id: string): Reply {
    const messages = this.received.filter((message) => message.id === id);
    const texts = (key: string) => messages.flatMap((message) => message[key] ?? []).map(String);
    return {
      messages,
      values: texts('value'),
      out: texts('out').join(''),
      err: texts('err').join(''),
      status: texts('status').flatMap((words) => words.split(',')),
    };
  }

  /** Waits for the end of the reply. */
  done(id: string): Promise<Reply> {
    return this.until(id, ({ status }) => status.includes('done'));
  }

  /** Waits until the reply fulfils the condition. */
  until(id: string, condition: (reply: Reply) => boolean): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const reply = this.replyTo(id);
        if (condition(reply)) end(() => resolve(reply));
      };
      const late = setTimeout(() => end(() => reject(new Error(JSON.stringify(this.received)))), WAITING_MS);
      const end = (settle: () => void): void => {
        clearTimeout(late);
        this.socket.off('data', look);
        settle();
      };
      this.socket.on('data', look);
      look();
    });
  }

  ask(request: Record<string, BencodeValue>): Promise<Reply> {
    return this.done(this.send(request));
  }

  /** Clones a session, as the editor of that name. */
  async clone(name?: string): Promise<string> {
    const { messages } = await this.ask({
      op: 'clone',
      ...(name === undefined ? {} : { 'client-name': name }),
    });
    return String(messages.find((message) => 'new-session' in message)?.['new-session']);
  }

  close(): void {
    this.socket.destroy();
  }
}
