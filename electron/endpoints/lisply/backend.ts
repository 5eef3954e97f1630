/** Answers what Lisply asks: that a session is there, which tools there are, and what code evaluates to. */
import type { CallResult, Gate } from '../../access/gate';
import { HarborError } from '../../contract/errors';
import type { Client } from '../../contract/model';
import { evaluateToEnd, type LisplyBody } from '../../tools/lisply-evaluation';
import type { Connection } from '../../tools/tool';
import { isRecord } from '../json-rpc';
import type { LisplyRoute } from './route';
import { LISPLY_TOOLS } from './tools-list';

/** A request after every check. */
export interface LisplyCall extends LisplyRoute {
  client: Client;
  /** The parsed JSON body of `eval`. */
  body: unknown;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
}

export interface LisplyReply {
  /** A text, or what is JSON. */
  body: string | LisplyBody | typeof LISPLY_TOOLS;
  /** What the caller must know and Lisply's answers have no place for. */
  notes: readonly string[];
}

export interface LisplyBackendOptions {
  gate: Pick<Gate, 'run'>;
  /** The connection whose default session a client's requests speak to. @throws HarborError `project_not_approved` */
  connectionOf: (client: Client) => Connection;
}

export class LisplyBackend {
  readonly #options: LisplyBackendOptions;

  constructor(options: LisplyBackendOptions) {
    this.#options = options;
  }

  /** @throws HarborError `bad_arguments`, `scope_missing`, `unknown_session`, and why there is no session */
  async answer(call: LisplyCall): Promise<LisplyReply> {
    const { asked, client, session } = call;
    if (asked === 'eval') return this.#evaluate(call);
    if (session !== undefined) await this.#options.connectionOf(client).session(session);
    return { body: asked === 'ping' ? 'pong' : LISPLY_TOOLS, notes: [] };
  }

  async #evaluate({ client, session, body, signal }: LisplyCall): Promise<LisplyReply> {
    const args = { ...evalArguments(body), ...(session === undefined ? {} : { session }) };
    const call = { client, endpoint: 'lisply', tool: 'lisp_eval', scope: 'evaluate', args } as const;
    return this.#options.gate.run<CallResult & LisplyReply>(call, async () => {
      const connection = this.#options.connectionOf(client);
      const { body: answered, notes, evaluation } = await evaluateToEnd(connection, client, args, signal);
      return { body: answered, notes, isError: !answered.success, evaluation };
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
