/**
 * Tasks, the extension `io.modelcontextprotocol/tasks` of MCP 2026-07-28 (SEP-2663): a long call is answered
 * with a task that the client polls. Only a request that declares the extension gets a task.
 */

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputResponse,
  MissingRequiredClientCapabilityError,
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { asFailure, listSimilarNames } from '../../contract/errors';
import { onAbort } from '../../host/listeners';
import type { CallContext } from '../../tools/tool';
import { isRecord } from './json-rpc';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Recommended polling interval, in milliseconds. */
const POLL_INTERVAL_MS = 1000;

/** Maximum number of ended tasks that are retained, for all clients together. */
const MAX_ENDED_TASKS = 256;

/** The state of a task. */
export type TaskState =
  | { status: 'working' }
  | { status: 'input_required'; inputRequests: Record<string, unknown> }
  | { status: 'completed'; result: object }
  | { status: 'failed'; error: { code: number; message: string } }
  | { status: 'cancelled' };

/** A call that continues after its request was answered. */
export interface Task {
  readonly id: string;
  readonly state: TaskState;
  /** Human-readable status. */
  readonly message?: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Accepts the client’s responses, keyed as in `inputRequests`. Unknown keys are ignored. */
  update(responses: Record<string, unknown>): void;
  /** Requests cancellation. The task has ended when its state says so. */
  cancel(): void;
}

/** The tasks of all clients. Each owner sees only its own. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  add(owner: string, task: Task): void {
    this.#tasks.set(key(owner, task.id), task);
    const ended = [...this.#tasks].filter(([, { state }]) => hasEnded(state));
    for (const [name] of ended.slice(0, Math.max(ended.length - MAX_ENDED_TASKS, 0)))
      this.#tasks.delete(name);
  }

  /** Cancels and forgets the tasks of an owner that will not return. */
  end(owner: string): void {
    for (const [name, task] of this.#tasks) {
      if (!name.endsWith(` ${owner}`)) continue;
      this.#tasks.delete(name);
      task.cancel();
    }
  }

  idsOf(owner: string): string[] {
    return [...this.#tasks].filter(([name, task]) => name === key(owner, task.id)).map(([, { id }]) => id);
  }

  find(owner: string, id: string): Task | undefined {
    return this.#tasks.get(key(owner, id));
  }
}

function key(owner: string, id: string): string {
  return `${id} ${owner}`;
}

function hasEnded({ status }: TaskState): boolean {
  return status !== 'working' && status !== 'input_required';
}

/** Reports whether the client accepts a task as the result of this request. */
export function acceptsTasks({ mcpReq }: ServerContext): boolean {
  const envelope: unknown = mcpReq.envelope;
  const capabilities = isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  return isRecord(extensions) && TASKS_EXTENSION in extensions;
}

/**
 * Returns the result that announces a task (SEP-2663, CreateTaskResult). The SDK does not know this result
 * and adds an empty `content`.
 */
export function taskCreated(task: Task): CallToolResult {
  const created: object = { resultType: 'task', ...head(task) };
  return created as CallToolResult;
}

const Named = z.looseObject({ taskId: z.string() });

/** Handles `tasks/get`, `tasks/update` and `tasks/cancel`. */
export function serveTasks(server: Server, tasks: Tasks, owner: string): void {
  server.setRequestHandler('tasks/get', { params: Named }, ({ taskId }, context) => {
    requireTasks(context);
    const task = tasks.find(owner, taskId);
    if (!task) throw unknownTask(taskId, tasks.idsOf(owner));
    return { resultType: 'complete', ...head(task), ...task.state };
  });
  server.setRequestHandler('tasks/update', { params: Named }, ({ taskId }, context) => {
    requireTasks(context);
    // The SDK moves input responses from the parameters to the context.
    tasks.find(owner, taskId)?.update(context.mcpReq.inputResponses ?? {});
    return { resultType: 'complete' };
  });
  server.setRequestHandler('tasks/cancel', { params: Named }, ({ taskId }, context) => {
    requireTasks(context);
    tasks.find(owner, taskId)?.cancel();
    return { resultType: 'complete' };
  });
}

function head({ id, state, message, createdAt, updatedAt }: Task) {
  return {
    taskId: id,
    status: state.status,
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: updatedAt.toISOString(),
    // Tasks do not expire.
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** @throws MissingRequiredClientCapabilityError if the request does not declare the extension */
export function requireTasks(context: ServerContext): void {
  if (acceptsTasks(context)) return;
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
    `This needs the extension ${TASKS_EXTENSION}. Declare it in the request’s client capabilities.`,
  );
}

function unknownTask(id: string, known: readonly string[]): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `You have no task ${id} in this harbor. ${listSimilarNames(id, known)} A job with that name still has its result.`,
  );
}

interface CallOptions {
  tasks: Tasks;
  /** Owner of the task. */
  owner: string;
  request: ServerContext;
  /** Absent if the client sent no progress token. */
  progress: CallProgress | undefined;
  /** Ends the evaluation of a job, also if it is suspended in the debugger. */
  endJob: (job: string) => Promise<void>;
}

/** A call, while its request or its task waits for the result. */
export interface OpenCall extends Omit<CallContext, 'grant'> {
  /**
   * Sends the form to the client through the task. Resolves with the content, or null if the client declined.
   * Returns null if the call is not a task yet; then the result of the request can carry the form.
   */
  requestInTask(form: ElicitRequestFormParams): Promise<unknown> | null;
}

type Answer = CallToolResult | InputRequiredResult;
type Work = (call: OpenCall) => Promise<Answer>;

/** Returns the result of `work`, or a task if the call outlives its request. */
export async function answerCall(options: CallOptions, work: Work): Promise<Answer> {
  const { request, progress } = options;
  try {
    if (acceptsTasks(request)) return await new CallTask(options).answer(work);
    const { signal } = request.mcpReq;
    const report = progress && { progress: (message: string) => progress.report(message) };
    return await work({ signal, requestInTask: () => null, ...report });
  } finally {
    progress?.end();
  }
}

class CallTask implements Task {
  readonly createdAt = new Date();
  readonly #options: CallOptions;
  readonly #cancel = new AbortController();
  readonly #created = Promise.withResolvers<CallToolResult>();
  /** The open input request. Each has its own name within the task. */
  #question: { name: string; answer: (content: unknown) => void } | undefined;
  #questions = 0;
  #id: string | undefined;
  #state: TaskState = { status: 'working' };
  #message: string | undefined;
  #updatedAt = this.createdAt;

  constructor(options: CallOptions) {
    this.#options = options;
    const { signal } = options.request.mcpReq;
    onAbort(signal, () => {
      // After the request was answered, its abort does not cancel the task.
      if (this.#id === undefined) this.#cancel.abort(signal.reason);
    });
  }

  /** Empty until the call outlives its request. */
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
      progress: (message) => this.#report(message),
      outlive: (job) => this.#outlive(job),
      requestInTask: (form) => (this.#id === undefined ? null : this.#requestInput(form)),
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
    const response = inputResponse(responses, name);
    answer?.(response.kind === 'elicit' && response.action === 'accept' ? response.content : null);
  }

  cancel(): void {
    this.#cancel.abort();
    if (!this.#question || this.#id === undefined) return;
    const { answer } = this.#question;
    const unanswered = () => answer(null);
    // A suspended evaluation does not observe the abort signal, so it is ended explicitly.
    this.#options.endJob(this.#id).then(unanswered, unanswered);
  }

  async #requestInput(form: ElicitRequestFormParams): Promise<unknown> {
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
    this.#options.tasks.add(this.#options.owner, this);
    this.#created.resolve(taskCreated(this));
  }

  #report(message: string): void {
    if (this.#id === undefined) this.#options.progress?.report(message);
    this.#become(this.#state, message);
  }

  #end(state: TaskState): void {
    // A cancelled task has no result.
    const how = this.#id === undefined ? '' : `; ${this.#id} has the result`;
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

const INTERVAL_MS = 250;

/**
 * Sends the progress notifications of one call, if the client sent a progress token: at most one every 250
 * ms, with the newest message and an increasing number (MCP basic/utilities/progress).
 */
export class CallProgress {
  readonly #token: ProgressToken;
  readonly #notify: ServerContext['mcpReq']['notify'];
  #sent = 0;
  #waiting: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(token: ProgressToken, notify: ServerContext['mcpReq']['notify']) {
    this.#token = token;
    this.#notify = notify;
  }

  /** Returns undefined if the client sent no progress token. */
  static of({ mcpReq }: ServerContext): CallProgress | undefined {
    const token = mcpReq._meta?.progressToken;
    return token === undefined ? undefined : new CallProgress(token, mcpReq.notify);
  }

  report(message: string): void {
    // A progress query can be answered after the call ended.
    if (this.#ended) return;
    if (this.#timer === undefined) this.#send(message);
    else this.#waiting = message;
  }

  /** Stops sending. Progress must not follow the result. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = undefined;
  }

  #send(message: string): void {
    this.#sent += 1;
    const params = { progressToken: this.#token, progress: this.#sent, message };
    this.#notify({ method: 'notifications/progress', params }).catch(() => {
      // The client disconnected. The call is cancelled by its signal.
    });
    this.#timer = setTimeout(() => this.#intervalOver(), INTERVAL_MS);
  }

  #intervalOver(): void {
    this.#timer = undefined;
    const message = this.#waiting;
    this.#waiting = undefined;
    if (message !== undefined) this.#send(message);
  }
}
