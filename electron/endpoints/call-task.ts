/** A tool call of a client that takes tasks: a request like any other until it takes long, and then a task. */
import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { asFailure } from '../contract/errors';
import type { CallContext } from '../tools/tool';
import type { CallProgress } from './call-progress';
import { type Task, type TaskState, type Tasks, takesTasks, taskCreated } from './mcp-tasks';

export interface CallOptions {
  tasks: Tasks;
  /** Whose task it will be. */
  owner: string;
  request: ServerContext;
  /** Absent when the caller asked for none. */
  progress: CallProgress | undefined;
}

/** A call while its request may be waiting for it. */
export interface OpenCall extends CallContext {
  /** Whether it still waits: nobody can be asked anything by the answer of a task. */
  readonly waited: boolean;
}

type Answer = CallToolResult | InputRequiredResult;

/** Answers with what `work` answers, or sooner with a task that will. */
export async function answerCall(
  options: CallOptions,
  work: (call: OpenCall) => Promise<Answer>,
): Promise<Answer> {
  const { request, progress } = options;
  try {
    if (takesTasks(request)) return await new CallTask(options).answer(work);
    const { signal } = request.mcpReq;
    const tell = progress && { progress: (message: string) => progress.tell(message) };
    return await work({ signal, waited: true, ...tell });
  } finally {
    progress?.end();
  }
}

class CallTask implements Task {
  readonly createdAt = new Date();
  readonly #options: CallOptions;
  readonly #cancel = new AbortController();
  readonly #created = Promise.withResolvers<CallToolResult>();
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

  answer(work: (call: OpenCall) => Promise<Answer>): Promise<Answer> {
    const isWaitedFor = () => this.#id === undefined;
    const result = work({
      get waited() {
        return isWaitedFor();
      },
      signal: this.#cancel.signal,
      progress: (message) => this.#tell(message),
      outlive: (job) => this.#outlive(job),
    });
    result.then(
      (answer) => this.#end({ status: 'completed', result: answer }),
      (error: unknown) => this.#end({ status: 'failed', error: asError(error) }),
    );
    return Promise.race([result, this.#created.promise]);
  }

  update(): void {
    // Nothing is ever asked: what is held in the debugger is left to the tool for that.
  }

  cancel(): void {
    this.#cancel.abort();
  }

  #outlive(job: string): void {
    this.#id = job;
    this.#options.tasks.keep(this.#options.owner, this);
    this.#created.resolve(taskCreated(this));
  }

  #tell(message: string): void {
    if (this.#id === undefined) this.#options.progress?.tell(message);
    this.#message = message;
    this.#updatedAt = new Date();
  }

  #end(state: TaskState): void {
    const cancelled = this.#cancel.signal.aborted;
    this.#state = cancelled ? { status: 'cancelled' } : state;
    // A cancelled task has no result.
    this.#message = cancelled ? `Cancelled; the tool job shows with ${this.#id} how it ended.` : undefined;
    this.#updatedAt = new Date();
  }
}

function asError(error: unknown): { code: number; message: string } {
  if (error instanceof ProtocolError) return { code: error.code, message: error.message };
  return { code: ProtocolErrorCode.InternalError, message: asFailure(error).message };
}
