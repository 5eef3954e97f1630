/** A client of Jupyter kernels: ZeroMQ sockets of a client over TCP, and messages with signatures. */
import { createHmac, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { command, frame, greeting, metadata, nextFrame } from '../electron/editors/kernel/zmtp';
import { freePort } from './free-port';

export interface JupyterMessage {
  type: string;
  /** Id of the request that it belongs to. */
  parent: string | undefined;
  content: Record<string, unknown>;
}

const CHANNELS = { shell: 'DEALER', control: 'DEALER', stdin: 'DEALER', iopub: 'SUB', hb: 'REQ' } as const;
type Channel = keyof typeof CHANNELS;

/** Writes a connection file with free ports. */
export async function connectionFile(file: string, key = randomUUID()): Promise<Record<string, unknown>> {
  const names = Object.keys(CHANNELS).map((name) => `${name}_port`);
  const ports = await Promise.all(names.map(async (name) => [name, await freePort()] as const));
  const content = {
    ...{ transport: 'tcp', ip: '127.0.0.1', key, signature_scheme: 'hmac-sha256' },
    ...Object.fromEntries(ports),
  };
  writeFileSync(file, JSON.stringify(content));
  return content;
}

export class JupyterClient {
  readonly #key: string;
  readonly #identity = randomUUID();
  readonly #sockets = new Map<Channel, Socket>();
  readonly #received: (JupyterMessage & { channel: Channel })[] = [];
  readonly #watchers = new Set<() => void>();
  #last: { channel: Channel; frames: readonly Buffer[] } | undefined;

  /** Connects once the kernel listens. */
  static async open(file: Record<string, unknown>): Promise<JupyterClient> {
    const client = new JupyterClient(String(file.key));
    for (const channel of Object.keys(CHANNELS) as Channel[])
      await client.#connect(channel, Number(file[`${channel}_port`]));
    return client;
  }

  private constructor(key: string) {
    this.#key = key;
  }

  /** Sends a request and returns its id. @param key signs it; absent: that of the file */
  send(channel: Channel, type: string, content: object, key = this.#key): string {
    const id = randomUUID();
    const header = { msg_id: id, msg_type: type, session: this.#identity, username: 'test', version: '5.3' };
    const parts = [header, {}, {}, content].map((each) => Buffer.from(JSON.stringify(each)));
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    this.#write(channel, [Buffer.from('<IDS|MSG>'), Buffer.from(hmac.digest('hex')), ...parts]);
    return id;
  }

  /** Sends the last message once more, as it was. */
  sendAgain(): void {
    if (this.#last) this.#write(this.#last.channel, this.#last.frames);
  }

  /** Sends a request and returns the content of the reply. */
  async request(channel: Channel, type: string, content: object = {}): Promise<Record<string, unknown>> {
    const id = this.send(channel, type, content);
    return (await this.next((each) => each.channel === channel && each.parent === id)).content;
  }

  /** Runs a cell and returns its reply with all that was published for it, until the kernel is idle again. */
  async run(code: string, more: object = {}) {
    const id = this.send('shell', 'execute_request', { code, allow_stdin: true, ...more });
    const reply = await this.next((each) => each.channel === 'shell' && each.parent === id);
    const isIdle = ({ type, parent, content }: JupyterMessage) =>
      type === 'status' && parent === id && content.execution_state === 'idle';
    await this.next(isIdle);
    const published = this.#received.filter((each) => each.channel === 'iopub' && each.parent === id);
    return { reply: reply.content, published };
  }

  next(isMet: (message: JupyterMessage & { channel: Channel }) => boolean) {
    return new Promise<JupyterMessage>((resolve) => {
      const look = () => {
        const found = this.#received.find(isMet);
        if (!found) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** What the heartbeat answers. */
  async beat(): Promise<string> {
    const answered = new Promise<string>((resolve) => {
      this.#beat = resolve;
    });
    this.#write('hb', [Buffer.alloc(0), Buffer.from('ping')]);
    return answered;
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  #beat: ((text: string) => void) | undefined;

  async #connect(channel: Channel, port: number): Promise<void> {
    const socket = await connected(port);
    this.#sockets.set(channel, socket);
    socket.write(greeting());
    const ready = Promise.withResolvers<void>();
    let received = Buffer.alloc(0);
    let isGreeted = false;
    let frames: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (!isGreeted) {
        if (received.length < 64) return;
        isGreeted = true;
        received = received.subarray(64);
        socket.write(
          command('READY', metadata({ 'Socket-Type': CHANNELS[channel], Identity: this.#identity })),
        );
      }
      for (let next = nextFrame(received); next !== null && next !== 'invalid'; next = nextFrame(received)) {
        received = received.subarray(next.bytes);
        if (next.flags & 4) {
          ready.resolve();
          continue;
        }
        frames.push(Buffer.from(next.body));
        if (next.flags & 1) continue;
        this.#take(channel, frames);
        frames = [];
      }
    });
    await ready.promise;
    if (channel === 'iopub') socket.write(frame(Buffer.from([1]), 0));
  }

  #take(channel: Channel, frames: Buffer[]): void {
    if (channel === 'hb') {
      this.#beat?.(String(frames.at(-1)));
      return;
    }
    const place = frames.findIndex((each) => String(each) === '<IDS|MSG>');
    const [, header, parent, , content] = frames.slice(place + 1).map(String);
    this.#received.push({
      channel,
      type: JSON.parse(header ?? '{}').msg_type,
      parent: JSON.parse(parent ?? '{}').msg_id,
      content: JSON.parse(content ?? '{}'),
    });
    for (const look of this.#watchers) look();
  }

  #write(channel: Channel, frames: readonly Buffer[]): void {
    this.#last = { channel, frames };
    const last = frames.length - 1;
    const parts = frames.map((each, index) => frame(each, index < last ? 1 : 0));
    this.#sockets.get(channel)?.write(Buffer.concat(parts));
  }
}

/** Connects when something listens there. */
async function connected(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    const found = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (found) return socket;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
