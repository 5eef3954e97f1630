/**
 * Answers requests of the Lisply protocol: ping, list of tools, evaluation. Every evaluation reports its
 * errors and returns to the top level. There are no jobs, so a request may take any time.
 */

import type { CallResult, Gate } from '../../access/gate';
import { asFailure, type ErrorCode, HarborError } from '../../contract/errors';
import type { Client } from '../../contract/model';
import type { Note } from '../../contract/note';
import type { BackendRequest, BackendResponse } from '../../contract/server';
import { isRecord } from '../../endpoints/mcp/json-rpc';
import { exactJson } from '../../host/json';
import type { Log } from '../../host/log';
import type { Caller } from '../../tools/tool';
import type { Connection } from '../../tools/toolbox';
import { evaluateToEnd, type LisplyBody } from './lisply-evaluation';

/** A request that has passed every check. */
interface LisplyCall extends LisplyRoute {
  client: Client;
  /** Returns a session of the client; without a handle, its default one. */
  sessionOf: Connection['session'];
  /** The parsed JSON body of `eval`. */
  body: unknown;
  /** Aborted when the caller disconnects, which interrupts its evaluation. */
  signal: AbortSignal;
}

export interface LisplyReply {
  /** HTTP status. A failed evaluation is not a failed request. */
  status: number;
  /** A text, or a value sent as JSON. */
  body: string | LisplyBody | typeof LISPLY_TOOLS;
  /** Facts that the caller must know and that Lisply's results have no place for. */
  notes: readonly Note[];
}

/** HTTP status of errors in the request itself. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  bad_arguments: 400,
  scope_missing: 403,
  unknown_session: 404,
};

interface LisplyBackendOptions {
  gate: Pick<Gate, 'run'>;
  log: Log;
}

export class LisplyBackend {
  readonly #options: LisplyBackendOptions;

  constructor(options: LisplyBackendOptions) {
    this.#options = options;
  }

  /** Never rejects: wrappers read `error`. */
  async answer(call: LisplyCall): Promise<LisplyReply> {
    try {
      return await this.#answer(call);
    } catch (error) {
      if (!(error instanceof HarborError)) this.#options.log.error('A request to Lisply failed', error);
      const { code, message } = asFailure(error);
      return { status: STATUS[code] ?? 200, body: { success: false, error: message }, notes: [] };
    }
  }

  async #answer(call: LisplyCall): Promise<LisplyReply> {
    const { operation, session, sessionOf } = call;
    if (operation === 'eval') return this.#evaluate(call);
    if (session !== undefined) await sessionOf(session, null);
    return { status: 200, body: operation === 'ping' ? 'pong' : LISPLY_TOOLS, notes: [] };
  }

  async #evaluate({ client, session: handle, sessionOf, body, signal }: LisplyCall): Promise<LisplyReply> {
    const args = evalArguments(body);
    const recorded = { ...args, ...(handle === undefined ? {} : { session: handle }) };
    const call = {
      client,
      endpoint: 'lisply',
      tool: 'lisp_eval',
      scope: 'evaluate',
      args: recorded,
      check: async () => void (handle === undefined || (await sessionOf(handle, null))),
    } as const;
    return this.#options.gate.run<CallResult & LisplyReply>(call, async (grant) => {
      const { session, notes } = await sessionOf(handle, grant);
      const {
        body: answered,
        evaluation,
        ...rest
      } = await evaluateToEnd(session, { client, grant }, args, signal);
      const all = [...notes, ...rest.notes];
      return { status: 200, body: answered, notes: all, isError: !answered.success, evaluation };
    });
  }
}

/** Ignores members that the documentation does not define, such as a wrapper's own `mode`. */
function evalArguments(body: unknown): { code: string; package?: string } {
  if (!isRecord(body)) throw new HarborError('bad_arguments', 'Send a JSON object: {"code": "(+ 1 2 3)"}.');
  const { code, package: packageName } = body;
  if (typeof code !== 'string')
    throw new HarborError('bad_arguments', '`code` is missing: send the Lisp code as a string.');
  if (packageName === undefined || packageName === null || packageName === '') return { code };
  if (typeof packageName === 'string') return { code, package: packageName };
  throw new HarborError('bad_arguments', '`package` is the name of a package, as a string.');
}

// Paths of Lisply (Lisply Backend Requirements, "HTTP Server Capability") below a prefix. There are three
// endpoints. A path may name the session before the endpoint; otherwise the caller's default session is used.
// Pure.

/** The operation and the only method of each endpoint. */
const ENDPOINTS = {
  'ping-lisp': { operation: 'ping', method: 'GET' },
  'lisp-eval': { operation: 'eval', method: 'POST' },
  'tools/list': { operation: 'tools', method: 'GET' },
} as const;

type Endpoint = keyof typeof ENDPOINTS;

/** `session` is a handle; absent: the caller's default session. */
export interface LisplyRoute {
  operation: (typeof ENDPOINTS)[Endpoint]['operation'];
  session?: string;
}

type LisplyPath =
  | ({ to: 'lisply' } & LisplyRoute)
  | { to: 'preflight'; allow: string }
  | { to: 'wrong-method'; allow: string }
  | { to: 'nowhere'; message: string };

const PATH = /^(?:([a-z0-9-]+)\/)?(ping-lisp|lisp-eval|tools\/list)$/;

/**
 * Parses a path.
 * @param prefix without slashes around it
 * @returns null for a path that is not below `prefix`
 */
export function lisplyPath(method: string, path: string, prefix: string): LisplyPath | null {
  if (!path.startsWith(`/${prefix}/`)) return null;
  const [, session, name] = PATH.exec(path.slice(prefix.length + 2)) ?? [];
  if (!isEndpoint(name)) return { to: 'nowhere', message: nowhere(prefix) };
  const { operation, method: allowed } = ENDPOINTS[name];
  const allow = `${allowed}, OPTIONS`;
  if (method === 'OPTIONS') return { to: 'preflight', allow };
  if (method !== allowed) return { to: 'wrong-method', allow };
  return { to: 'lisply', operation, ...(session === undefined ? {} : { session }) };
}

/** Returns the error text of an unknown path. */
export function nowhere(prefix: string): string {
  const paths = Object.keys(ENDPOINTS).map((name) => `/${prefix}/${name}`);
  return `Not found. Lisply has ${paths.join(', ')}, and the same below /${prefix}/<session>/.`;
}

function isEndpoint(name: string | undefined): name is Endpoint {
  return name !== undefined && Object.hasOwn(ENDPOINTS, name);
}

/** The response to Lisply's `tools/list`, as in its documentation. A backend has exactly these two tools. */
export const LISPLY_TOOLS = {
  tools: [
    {
      name: 'lisp_eval',
      description: 'Evaluates Lisp code directly within the Lisply environment',
      inputSchema: {
        type: 'object',
        properties: {
          code: { type: 'string', description: 'The Lisp code to evaluate' },
          package: { type: 'string', description: 'The package to use for the evaluation (optional)' },
        },
        required: ['code'],
      },
    },
    {
      name: 'ping_lisp',
      description: 'Checks if the Lisply backend is available',
      inputSchema: { type: 'object', properties: {} },
    },
  ],
} as const;

/** Sends a request to our own Lisply backend for a tool, in the name of the tool's caller, without a port. */
export class InnerRequests {
  readonly #prefix: string;
  readonly #backend: LisplyBackend;

  constructor(prefix: string, backend: LisplyBackend) {
    this.#prefix = prefix;
    this.#backend = backend;
  }

  /** @param sessionOf finds the caller's sessions, which the path may name */
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

/** Returns undefined, which is refused, if the body is not JSON. */
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
