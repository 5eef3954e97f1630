/** Lisply over HTTP, once it is known who asks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '../../contract/model';
import type { Connection } from '../../tools/connection';
import { goneSignal } from '../http/gone-signal';
import { sendJson, sendText } from '../http/http-answer';
import { readJson } from '../http/http-body';
import type { LisplyBackend, LisplyReply } from './lisply-backend';
import type { LisplyRoute } from './lisply-route';

export interface LisplyRequest extends LisplyRoute {
  client: Client;
}

export interface LisplyHttpOptions {
  /** Where its paths begin, without slashes around it. */
  prefix: string;
  backend: LisplyBackend;
  /** The connection whose default session a client's requests speak to. @throws HarborError `project_not_approved` */
  connectionOf: (client: Client) => Connection;
}

export class LisplyHttp {
  readonly #options: LisplyHttpOptions;

  constructor(options: LisplyHttpOptions) {
    this.#options = options;
  }

  get prefix(): string {
    return this.#options.prefix;
  }

  async serve(req: IncomingMessage, res: ServerResponse, request: LisplyRequest): Promise<void> {
    const { backend, connectionOf } = this.#options;
    const signal = goneSignal(res);
    const body = request.asked === 'eval' ? await readJson(req) : { ok: true as const, value: undefined };
    if (!body.ok) return sendJson(res, body.status, { success: false, error: body.message });
    const sessionOf: Connection['session'] = async (handle) => connectionOf(request.client).session(handle);
    send(res, await backend.answer({ ...request, sessionOf, body: body.value, signal }));
  }
}

/** Longest notes that a header takes along; the history has them whole. */
const LONGEST_NOTES = 2_000;

function send(res: ServerResponse, { status, body, notes }: LisplyReply): void {
  const told = notes.join('\n').slice(0, LONGEST_NOTES).toWellFormed();
  if (told !== '') res.setHeader('x-lisp-harbor-notes', encodeURIComponent(told));
  if (typeof body === 'string') sendText(res, status, body, 'text/plain; charset=utf-8');
  else sendJson(res, status, body);
}
