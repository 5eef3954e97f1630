/**
 * Answers what Lisply asks: that a session is there, which tools there are, and what code evaluates to. Every evaluation
 * reports its errors and goes back to the top level; there are no jobs, so an answer takes as long as it takes.
 */
import type { CallResult, Gate } from '../../access/gate';
import { asFailure, type ErrorCode, HarborError } from '../../contract/errors';
import type { Client } from '../../contract/model';
import type { Log } from '../../host/log';
import type { Connection } from '../../tools/connection';
import { evaluateToEnd, type LisplyBody } from '../../tools/evaluation/lisply-evaluation';
import { isRecord } from '../mcp/json-rpc';
import type { LisplyRoute } from './lisply-route';
import { LISPLY_TOOLS } from './lisply-tools-list';

/** A request after every check. */
export interface LisplyCall extends LisplyRoute {
  client: Client;
  /** The client's sessions; without a handle, the one that it has by default. */
  sessionOf: Connection['session'];
  /** The parsed JSON body of `eval`. */
  body: unknown;
  /** Aborted when the caller goes away, which interrupts what runs for it. */
  signal: AbortSignal;
}

export interface LisplyReply {
  /** Of HTTP. An evaluation that failed is an answer, not a failed request. */
  status: number;
  /** A text, or what is JSON. */
  body: string | LisplyBody | typeof LISPLY_TOOLS;
  /** What the caller must know and Lisply's answers have no place for. */
  notes: readonly string[];
}

/** What is wrong with the request itself. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  bad_arguments: 400,
  scope_missing: 403,
  unknown_session: 404,
};

export interface LisplyBackendOptions {
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
    const { asked, session, sessionOf } = call;
    if (asked === 'eval') return this.#evaluate(call);
    if (session !== undefined) await sessionOf(session);
    return { status: 200, body: asked === 'ping' ? 'pong' : LISPLY_TOOLS, notes: [] };
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
      check: async () => void (handle === undefined || (await sessionOf(handle))),
    } as const;
    return this.#options.gate.run<CallResult & LisplyReply>(call, async () => {
      const { session, notes } = await sessionOf(handle);
      const { body: answered, evaluation, ...rest } = await evaluateToEnd(session, client, args, signal);
      const all = [...notes, ...rest.notes];
      return { status: 200, body: answered, notes: all, isError: !answered.success, evaluation };
    });
  }
}

/** Members that the document does not know, such as a wrapper's own `mode`, mean nothing here. */
function evalArguments(body: unknown): { code: string; package?: string } {
  if (!isRecord(body)) throw new HarborError('bad_arguments', 'Send a JSON object: {"code": "(+ 1 2 3)"}.');
  const { code, package: packageName } = body;
  if (typeof code !== 'string')
    throw new HarborError('bad_arguments', '`code` is missing: send the Lisp code as a string.');
  if (packageName === undefined || packageName === null || packageName === '') return { code };
  if (typeof packageName === 'string') return { code, package: packageName };
  throw new HarborError('bad_arguments', '`package` is the name of a package, as a string.');
}
