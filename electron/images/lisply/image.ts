/** A Lisply backend as an image: one HTTP request per evaluation, interrupted by closing the connection. */

import { z } from 'zod';
import { asFailure, HarborError } from '../../contract/errors';
import type { SandboxReport } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import { addressText, type BackendResponse, type ServerAddress } from '../../contract/server';
import { boundedJsonOrUndefined } from '../../host/json';
import { ATTACHED_SANDBOX } from '../attachable-servers';
import {
  type EvaluateRequest,
  type Image,
  type ImageEnd,
  type ImageOutcome,
  type OutputSink,
  readerEvaluationError,
} from '../image';
import type { Backend } from '../optional-groups';
import type { BackendClient } from './client';

/** The package if none was named; the backend does not report its own. */
const ITS_OWN = 'default';

const CONNECTION_CLOSED =
  'The connection was closed, which is the only way to interrupt a backend; the code may continue to run there.';

/** A backend that we started. */
interface OwnBackend {
  sandbox: SandboxReport;
  introduction: readonly Note[];
  /** Resolves when its process has ended. */
  ended: Promise<ImageEnd>;
  stop(): Promise<void>;
}

export class LisplyImage implements Image {
  readonly engine = 'lisply';
  readonly sandbox: SandboxReport;
  readonly ended: Promise<ImageEnd>;
  readonly backend: Backend;
  readonly #client: BackendClient;
  readonly #server: ServerAddress;
  readonly #package: string | undefined;
  readonly #own: OwnBackend | undefined;
  readonly #end: (end: ImageEnd) => void;
  #running: { id: number; leave: AbortController } | null = null;

  /**
   * @param packageName default package of evaluations
   * @param own set for a backend that ends with its session
   */
  constructor(
    client: BackendClient,
    server: ServerAddress,
    packageName: string | undefined,
    own?: OwnBackend,
  ) {
    this.sandbox = own?.sandbox ?? ATTACHED_SANDBOX;
    this.#own = own;
    this.#client = client;
    this.#server = server;
    this.#package = packageName;
    this.backend = {
      request: (request, signal) => client.send(request, signal),
      ping: (signal) => client.ping(signal),
    };
    const { promise, resolve } = Promise.withResolvers<ImageEnd>();
    this.ended = promise;
    this.#end = resolve;
    void own?.ended.then(resolve);
  }

  get package(): string {
    return this.#package ?? ITS_OWN;
  }

  get introduction(): readonly Note[] {
    if (this.#own) return this.#own.introduction;
    const text = `attached to the Lisply backend at ${addressText(this.#server)}. Its state is shared with all clients. Closing this session leaves the backend running.`;
    return [note('introduction', text)];
  }

  prompt(): string {
    return 'lisply> ';
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink): Promise<ImageOutcome> {
    const around = { package: this.package, warnings: [] };
    const unsafe = readerEvaluationError(request, 'common-lisp');
    if (unsafe !== null) return { outcome: 'error', forms: [], condition: unsafe, notes: [], ...around };
    const leave = new AbortController();
    this.#running = { id: request.id, leave };
    try {
      const { stdout, ...reply } = outcomeOf(await this.#send(request, leave.signal), request);
      if (stdout !== '') sink('stdout', stdout);
      return { ...reply, ...around };
    } catch (error) {
      if (!leave.signal.aborted && !(error instanceof HarborError)) throw error;
      const why = leave.signal.aborted ? CONNECTION_CLOSED : asFailure(error).message;
      if (!leave.signal.aborted) this.#lost(why);
      const notes = [note(leave.signal.aborted ? 'connection_closed' : 'image_ended', why)];
      const outcome = leave.signal.aborted ? 'interrupted' : 'crashed';
      return { outcome, forms: [], condition: null, notes, ...around };
    } finally {
      this.#running = null;
    }
  }

  async interrupt(id: number): Promise<boolean> {
    if (this.#running?.id === id) this.#running.leave.abort();
    return true;
  }

  /** The backend's process is not ours to observe. */
  async usage(): Promise<null> {
    return null;
  }

  async end(): Promise<void> {
    this.#running?.leave.abort();
    this.#client.close();
    const at = addressText(this.#server);
    // Settled before the backend ends, so that this is the recorded reason.
    this.#end({ description: `the connection to the Lisply backend at ${at} was closed`, expected: true });
    await this.#own?.stop();
  }

  #send({ code, package: named }: EvaluateRequest, signal: AbortSignal) {
    const packageName = named ?? this.#package;
    const body = JSON.stringify({ code, ...(packageName === undefined ? {} : { package: packageName }) });
    const headers = { 'content-type': 'application/json' };
    return this.#client.send(
      { method: 'POST', path: this.#client.endpoint('lisp-eval'), headers, body },
      signal,
    );
  }

  #lost(description: string): void {
    this.#client.close();
    this.#end({ description, expected: false });
  }
}

const Reply = z.union([
  z.object({ success: z.literal(true), result: z.string(), stdout: z.string().default('') }),
  z.object({ success: z.literal(false), error: z.string() }),
]);

type ReplyOutcome = Pick<ImageOutcome, 'outcome' | 'forms' | 'condition' | 'notes'> & { stdout: string };

export function outcomeOf(response: BackendResponse, { code, maxChars }: EvaluateRequest): ReplyOutcome {
  const reply = Reply.safeParse(boundedJsonOrUndefined(response.body));
  if (!reply.success) return failed(notLisply(response));
  if (!reply.data.success) return failed(reply.data.error);
  const { result, stdout } = reply.data;
  const cut = maxChars !== undefined && result.length > maxChars;
  return {
    outcome: 'ok',
    forms: [{ code, values: [cut ? result.slice(0, maxChars) : result] }],
    condition: null,
    notes: cut ? [note('value_cut', `A value of ${result.length} characters was cut to ${maxChars}.`)] : [],
    stdout,
  };
}

/** A backend reports no type, restarts or stack, and has returned to its top level. */
function failed(message: string): ReplyOutcome {
  const condition = { type: 'error', message, level: 1, restarts: [], frames: [] };
  return { outcome: 'error', forms: [], condition, notes: [], stdout: '' };
}

/** Maximum characters of an unexpected answer in a message. */
const SHOWN = 300;

function notLisply({ status, body }: BackendResponse): string {
  return `The backend answered with status ${status} and without a Lisply result: ${body.slice(0, SHOWN)}`;
}
