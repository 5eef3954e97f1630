/** Messages of Jupyter’s protocol 5.3: signing, checking, and the connection file. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';

const Port = z.int().min(1).max(65_535);

const ConnectionFile = z.object({
  transport: z.enum(['tcp', 'ipc']).default('tcp'),
  ip: z.string(),
  shell_port: Port,
  control_port: Port,
  stdin_port: Port,
  iopub_port: Port,
  hb_port: Port,
  key: z.string().min(1, 'is empty: messages could not be checked'),
  signature_scheme: z.literal('hmac-sha256').default('hmac-sha256'),
});
export type ConnectionFile = z.infer<typeof ConnectionFile>;

/** @throws HarborError `bad_arguments` */
export function readConnectionFile(file: string): ConnectionFile {
  const parsed = ConnectionFile.safeParse(jsonIn(file));
  if (!parsed.success)
    throw new HarborError(
      'bad_arguments',
      `${file} is no connection file of Jupyter: ${z.prettifyError(parsed.error)}`,
    );
  const { transport, ip } = parsed.data;
  if (transport === 'ipc' || /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/.test(ip)) return parsed.data;
  throw new HarborError(
    'bad_arguments',
    `${file} names the address ${ip}. A kernel of Lisp Harbor listens on the loopback address only.`,
  );
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new HarborError(
      'bad_arguments',
      `${file} cannot be read: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

const Header = z.looseObject({ msg_id: z.string(), msg_type: z.string(), session: z.string().default('') });
export type Header = z.infer<typeof Header>;

export interface Message {
  /** Frames before the delimiter, by which a router addresses the answer. */
  identities: Buffer[];
  header: Header;
  content: Record<string, unknown>;
}

const DELIMITER = '<IDS|MSG>';
/** Signatures that are remembered, so that a message is not accepted twice. */
const REMEMBERED = 65_536;

export class MessageCodec {
  readonly #key: string;
  readonly #session = randomUUID();
  readonly #seen = new Set<string>();

  constructor(key: string) {
    this.#key = key;
  }

  /** Returns null for a message that is malformed, has a wrong signature or was received before. */
  read(frames: readonly Buffer[]): Message | null {
    const place = frames.findIndex((each) => each.toString('latin1') === DELIMITER);
    const [signature, header, parent, metadata, content] = frames.slice(place + 1);
    if (place < 0 || !signature || !header || !parent || !metadata || !content) return null;
    const signed = Buffer.from(this.#sign([header, parent, metadata, content]));
    const isSigned = signature.length === signed.length && timingSafeEqual(signature, signed);
    const name = signature.toString('latin1');
    if (!isSigned || this.#seen.has(name)) return null;
    this.#seen.add(name);
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.values().next().value ?? '');
    try {
      return {
        identities: frames.slice(0, place),
        header: Header.parse(JSON.parse(header.toString())),
        content: z.record(z.string(), z.unknown()).parse(JSON.parse(content.toString())),
      };
    } catch {
      return null;
    }
  }

  /** Returns the frames of a message. @param parent the request that it belongs to; null for none */
  write(
    type: string,
    content: object,
    parent: Header | null,
    identities: readonly (Buffer | string)[],
  ): (Buffer | string)[] {
    const header = {
      ...{ msg_id: randomUUID(), msg_type: type, session: this.#session, username: 'kernel' },
      ...{ date: new Date().toISOString(), version: '5.3' },
    };
    const parts = [header, parent ?? {}, {}, content].map((each) => Buffer.from(JSON.stringify(each)));
    return [...identities, DELIMITER, this.#sign(parts), ...parts];
  }

  #sign(parts: readonly Buffer[]): string {
    const hmac = createHmac('sha256', this.#key);
    for (const part of parts) hmac.update(part);
    return hmac.digest('hex');
  }
}
