/** A tool call of a client that takes tasks: a request like any other until it takes long, and then a task. */
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { asFailure } from '../../contract/errors';
import type { CallContext } from '../../tools/tool';
import type { CallProgress } from './call-progress';
import { type Task, type TaskState, type Tasks, takesTasks, taskCreated } from './mcp-tasks';

export interface CallOptions {
  tasks: Tasks;
  /** Whose task it will be. */
  owner: string;
  request: ServerContext;
  /** Absent when the caller asked for none. */
  progress: CallProgress | undefined;
  /** Ends what a job evaluates, also when it is held in the debugger. */
  endJob: (job: string) => Promise<void>;
}

/** A call while its request waits for it, or its task. */
export interface OpenCall extends CallContext {
  /**
   * Asks the client through the task. The promise has what it fills in, or null when it would not. There is no promise
   * while there is no task: then the answer to the request may ask.
   */
  askInTask(form: ElicitRequestFormParams): Promise<unknown> | null;
}

type Answer = CallToolResult | InputRequiredResult;
type Work = (call: OpenCall) => Promise<Answer>;

/** Answers with what `work` answers, or sooner with a task that will. */
export async function answerCall(options: CallOptions, work: Work): Promise<Answer> {
  const { request, progress } = options;
  try {
    if (takesTasks(request)) return await new CallTask(options).answer(work);
    const { signal } = request.mcpReq;
    const tell = progress && { progress: (message: string) => progress.tell(message) };
    return await work({ signal, askInTask: () => null, ...tell });
  } finally {
    progress?.end();
  }
}

class CallTask implements Task {
  readonly createdAt = new Date();
  readonly #options: CallOptions;
  readonly #cancel = new AbortController();
  readonly #created = Promise.withResolvers<CallToolResult>();
  /** What the client is asked, by a name that no other question of this task has. */
  #question: { name: string; answer: (content: unknown) => void } | undefined;
  #questions = 0;
  #id: string | undefined;
  #state: TaskState = { status: 'working' };
  #message: string | undefined;
  #updatedAt = this.createdAt;

  constructor(options: CallOptions) {
    this.#options = options;
    const { signal } = options.request.mcpReq;
    const left = () => {
      // The end of a request that was answered is no cancellation.
      if (this.#id === undefined) this.#cancel.abort(signal.reason);
    };
    signal.addEventListener('abort', left, { once: true });
  }

  /** Known once it outlives its request. */
  get id(): string {
    return this.#id ?? '';
  }

  get state(): TaskState {
    return this.#state;
  }

  get message(): string | undefined {
    return this.#message;
  }

  get updatedAt(): Date {
    return this.#updatedAt;
  }

  answer(work: Work): Promise<Answer> {
    const result = work({
      signal: this.#cancel.signal,
      progress: (message) => this.#tell(message),
      outlive: (job) => this.#outlive(job),
      askInTask: (form) => (this.#id === undefined ? null : this.#ask(form)),
    });
    result.then(
      (answer) => this.#end({ status: 'completed', result: answer }),
      (error: unknown) => this.#end({ status: 'failed', error: asError(error) }),
    );
    return Promise.race([result, this.#created.promise]);
  }

  update(responses: Record<string, unknown>): void {
    const { name, answer } = this.#question ?? {};
    if (name === undefined || !Object.hasOwn(responses, name)) return;
    const given = inputResponse(responses, name);
    answer?.(given.kind === 'elicit' && given.action === 'accept' ? given.content : null);
  }

  cancel(): void {
    this.#cancel.abort();
    if (!this.#question || this.#id === undefined) return;
    const { answer } = this.#question;
    const unanswered = () => answer(null);
    // Nothing runs that could hear of it: the evaluation is held.
    this.#options.endJob(this.#id).then(unanswered, unanswered);
  }

  async #ask(form: ElicitRequestFormParams): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#questions += 1;
    const name = `restart-${this.#questions}`;
    this.#question = { name, answer: resolve };
    const request = { method: 'elicitation/create', params: form };
    this.#become({ status: 'input_required', inputRequests: { [name]: request } }, undefined);
    const content = await promise;
    this.#question = undefined;
    this.#become({ status: 'working' }, undefined);
    return content;
  }

  #outlive(job: string): void {
    this.#id = job;
    this.#options.tasks.keep(this.#options.owner, this);
    this.#created.resolve(taskCreated(this));
  }

  #tell(message: string): void {
    if (this.#id === undefined) this.#options.progress?.tell(message);
    this.#become(this.#state, message);
  }

  #end(state: TaskState): void {
    // A cancelled task has no result.
    const how = this.#id === undefined ? '' : `; the tool job shows with ${this.#id} how it ended`;
    if (this.#cancel.signal.aborted) this.#become({ status: 'cancelled' }, `Cancelled${how}.`);
    else this.#become(state, undefined);
  }

  #become(state: TaskState, message: string | undefined): void {
    this.#state = state;
    this.#message = message;
    this.#updatedAt = new Date();
  }
}

function asError(error: unknown): { code: number; message: string } {
  if (error instanceof ProtocolError) return { code: error.code, message: error.message };
  return { code: ProtocolErrorCode.InternalError, message: asFailure(error).message };
}
