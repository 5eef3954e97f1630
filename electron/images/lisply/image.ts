/** A Lisply backend as an image: one request for each evaluation, which is interrupted by closing its connection. */
import { asFailure, HarborError } from '../../contract/errors';
import type { SandboxReport } from '../../contract/model';
import { addressText, type ServerAddress } from '../../contract/server';
import { ATTACHED } from '../attachable';
import type { EvaluateRequest, Image, ImageEnd, ImageOutcome, OutputSink } from '../image';
import type { Backend } from '../optional-groups';
import { unsafeReading } from '../safe-read';
import type { BackendClient } from './client';
import { outcomeOf } from './reply';

/** What stands for the package where nobody named one: the backend has its own and does not tell it. */
const ITS_OWN = 'default';

const LEFT = 'The connection was closed, which is all that a backend can be told; it may run on there.';

/** What there is to say and to do where the backend is one that we started. */
export interface OwnBackend {
  sandbox: SandboxReport;
  introduction: string;
  /** Settles when its process is gone. */
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

  /** @param packageName for evaluations that name none
   * @param own of a backend that is ended with its session */
  constructor(
    client: BackendClient,
    server: ServerAddress,
    packageName: string | undefined,
    own?: OwnBackend,
  ) {
    this.sandbox = own?.sandbox ?? ATTACHED;
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

  get introduction(): string {
    if (this.#own) return this.#own.introduction;
    return `attached to the Lisply backend at ${addressText(this.#server)}. Its state is shared with all who use it. Closing this session leaves it running.`;
  }

  prompt(): string {
    return 'lisply> ';
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink): Promise<ImageOutcome> {
    const around = { package: this.package, warnings: [] };
    const unsafe = unsafeReading(request, 'common-lisp');
    if (unsafe !== null) return { outcome: 'error', forms: [], condition: unsafe, notes: [], ...around };
    const leave = new AbortController();
    this.#running = { id: request.id, leave };
    try {
      const { stdout, ...told } = outcomeOf(await this.#ask(request, leave.signal), request);
      if (stdout !== '') sink('stdout', stdout);
      return { ...told, ...around };
    } catch (error) {
      if (!leave.signal.aborted && !(error instanceof HarborError)) throw error;
      const notes = [leave.signal.aborted ? LEFT : asFailure(error).message];
      if (!leave.signal.aborted) this.#lost(notes.join(' '));
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

  /** Whatever the backend's process is, it is not ours to watch. */
  async usage(): Promise<null> {
    return null;
  }

  async end(): Promise<void> {
    this.#running?.leave.abort();
    this.#client.close();
    const at = addressText(this.#server);
    // Told before it ends, so that this is what its end was.
    this.#end({ description: `the connection to the Lisply backend at ${at} was closed`, expected: true });
    await this.#own?.stop();
  }

  #ask({ code, package: named }: EvaluateRequest, signal: AbortSignal) {
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
