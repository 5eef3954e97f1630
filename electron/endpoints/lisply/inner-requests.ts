/** Lisply for a tool of ours: answers a request as HTTP would bring it, in the name of the tool's caller. No port is involved. */

import type { BackendRequest, BackendResponse } from '../../contract/server';
import { exactJson } from '../../host/bounded-json';
import type { Caller } from '../../tools/tool';
import type { LisplyBackend, LisplyReply } from './lisply-backend';
import { lisplyPath, nowhere } from './lisply-route';

export class InnerRequests {
  readonly #prefix: string;
  readonly #backend: LisplyBackend;

  constructor(prefix: string, backend: LisplyBackend) {
    this.#prefix = prefix;
    this.#backend = backend;
  }

  /** @param sessionOf the caller's sessions, which the path may name */
  async send(
    { method, path, body }: BackendRequest,
    { client, signal }: Caller,
    sessionOf: Parameters<LisplyBackend['answer']>[0]['sessionOf'],
  ): Promise<BackendResponse> {
    const route = lisplyPath(method, path.split('?', 1)[0] ?? '', this.#prefix);
    if (route?.to === 'wrong-method' || route?.to === 'preflight')
      return { status: 405, headers: { allow: route.allow }, body: 'Method not allowed' };
    if (route?.to !== 'lisply') return { status: 404, headers: {}, body: nowhere(this.#prefix) };
    return asResponse(
      await this.#backend.answer({ ...route, client, sessionOf, body: parsed(body), signal }),
    );
  }
}

/** Undefined, which is refused, for what is no JSON. */
function parsed(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : exactJson(body);
  } catch {
    return undefined;
  }
}

function asResponse({ status, body }: LisplyReply): BackendResponse {
  if (typeof body === 'string') return { status, headers: { 'content-type': 'text/plain' }, body };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
