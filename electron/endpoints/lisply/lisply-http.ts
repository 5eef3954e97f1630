/**
 * Lisply over HTTP, whoever the caller is by then. Every evaluation reports its errors and goes back to the top level;
 * there are no jobs, so an answer takes as long as it takes, and a caller that goes away interrupts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asFailure, type ErrorCode, HarborError } from '../../contract/errors';
import type { Client } from '../../contract/model';
import type { Log } from '../../log';
import { sendJson, sendText } from '../http-answer';
import { readJson } from '../http-body';
import { goneSignal } from '../web-exchange';
import type { LisplyBackend, LisplyReply } from './backend';
import type { LisplyRoute } from './route';

export interface LisplyRequest extends LisplyRoute {
  client: Client;
}

/** What is wrong with the request, rather than with what was evaluated. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  bad_arguments: 400,
  scope_missing: 403,
  unknown_session: 404,
};

export class LisplyHttp {
  /** Where its paths begin, without slashes around it. */
  readonly prefix: string;
  readonly #backend: LisplyBackend;
  readonly #log: Log;

  constructor({ prefix, backend, log }: { prefix: string; backend: LisplyBackend; log: Log }) {
    this.prefix = prefix;
    this.#backend = backend;
    this.#log = log;
  }

  async serve(req: IncomingMessage, res: ServerResponse, request: LisplyRequest): Promise<void> {
    const signal = goneSignal(res);
    const body = request.asked === 'eval' ? await readJson(req) : { ok: true as const, value: undefined };
    if (!body.ok) return sendJson(res, body.status, { success: false, error: body.message });
    try {
      send(res, await this.#backend.answer({ ...request, body: body.value, signal }));
    } catch (error) {
      if (!(error instanceof HarborError)) this.#log.error('A request to Lisply failed', error);
      const { code, message } = asFailure(error);
      // Wrappers read `error` whatever the status is; an evaluation that failed is an answer, not a failed request.
      sendJson(res, STATUS[code] ?? 200, { success: false, error: message });
    }
  }
}

/** Longest notes that a header takes along; the history has them whole. */
const LONGEST_NOTES = 2_000;

function send(res: ServerResponse, { body, notes }: LisplyReply): void {
  const told = notes.join('\n').slice(0, LONGEST_NOTES).toWellFormed();
  if (told !== '') res.setHeader('x-lisp-harbor-notes', encodeURIComponent(told));
  if (typeof body === 'string') sendText(res, 200, body, 'text/plain; charset=utf-8');
  else sendJson(res, 200, body);
}
