/**
 * The extension `io.modelcontextprotocol/tasks` of MCP 2026-07-28 (SEP-2663): a call that takes long is answered with a
 * task, which its client polls for the result. Only clients that declare the extension in the very request get one.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { thereAre } from '../../contract/names-there';
import { isRecord } from './json-rpc';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** As often as that a client should ask, in milliseconds. */
const POLL_INTERVAL_MS = 1000;

/** Tasks that have ended and are kept for their clients, of all clients together. */
export const ENDED_KEPT = 256;

/** What has become of a task, with what goes with that. */
export type TaskState =
  | { status: 'working' }
  | { status: 'input_required'; inputRequests: Record<string, unknown> }
  | { status: 'completed'; result: object }
  | { status: 'failed'; error: { code: number; message: string } }
  | { status: 'cancelled' };

/** One call that goes on after it was answered. */
export interface Task {
  readonly id: string;
  readonly state: TaskState;
  /** In words, for people. */
  readonly message?: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Takes the client's answers, by the names of `inputRequests`; those to nothing that was asked are ignored. */
  update(responses: Record<string, unknown>): void;
  /** Asks it to end; it has ended when its state says so. */
  cancel(): void;
}

/** The tasks of all clients. Nobody finds another owner's. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  keep(owner: string, task: Task): void {
    this.#tasks.set(key(owner, task.id), task);
    const ended = [...this.#tasks].filter(([, { state }]) => hasEnded(state));
    for (const [name] of ended.slice(0, Math.max(ended.length - ENDED_KEPT, 0))) this.#tasks.delete(name);
  }

  /** Cancels and forgets those of an owner who will never ask again. */
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

/** Whether the client that sent this request takes a task for its answer. */
export function takesTasks({ mcpReq }: ServerContext): boolean {
  const envelope: unknown = mcpReq.envelope;
  const capabilities = isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  return isRecord(extensions) && TASKS_EXTENSION in extensions;
}

/** What answers a call that goes on as `task` (SEP-2663, CreateTaskResult). The SDK does not know such a result: it adds an empty `content`. */
export function taskCreated(task: Task): CallToolResult {
  const created: object = { resultType: 'task', ...head(task) };
  return created as CallToolResult;
}

const Named = z.looseObject({ taskId: z.string() });

/** Serves `tasks/get`, `tasks/update` and `tasks/cancel`. */
export function serveTasks(server: Server, tasks: Tasks, owner: string): void {
  server.setRequestHandler('tasks/get', { params: Named }, ({ taskId }, context) => {
    requireTasks(context);
    const task = tasks.find(owner, taskId);
    if (!task) throw unknownTask(taskId, tasks.idsOf(owner));
    return { resultType: 'complete', ...head(task), ...task.state };
  });
  server.setRequestHandler('tasks/update', { params: Named }, ({ taskId }, context) => {
    requireTasks(context);
    // Wherever they come, the SDK takes a request's answers out of its parameters.
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
    // Nothing here is ended by a timer.
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** @throws MissingRequiredClientCapabilityError when the request does not declare the extension */
export function requireTasks(context: ServerContext): void {
  if (takesTasks(context)) return;
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
    `This needs the extension ${TASKS_EXTENSION}: declare it in the request’s client capabilities.`,
  );
}

function unknownTask(id: string, known: readonly string[]): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no task ${id} of yours in this harbor. ${thereAre(id, known)} Of a job by that name the tool job still tells how it ended.`,
  );
}
