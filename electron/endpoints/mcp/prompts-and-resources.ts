/**
 * MCP prompts, resources and completions. Reads pass the gate like tool calls: they need the scope `read` and
 * are recorded with their method. Errors are JSON-RPC errors, because these requests have no result for an
 * error.
 */
import {
  type CompleteRequestParams,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { mayUse } from '../../access/grant';
import { type ErrorCode, HarborError } from '../../contract/errors';
import type { McpCaller, McpServices } from './caller';
import type { ResourceInterest } from './change-notifications';

export function servePrompts(server: Server, services: McpServices, caller: McpCaller): void {
  const { client, connection } = caller;
  server.setRequestHandler('prompts/list', () => ({
    prompts: mayUse(client, 'read') ? connection.prompts.listed : [],
  }));
  server.setRequestHandler('prompts/get', ({ method, params }) => {
    const { name, arguments: parameters = {} } = params;
    return gatedRead(services, caller, { method, args: { name, arguments: parameters } }, async () => {
      const { description, text } = await connection.prompts.get(name, parameters);
      return { description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
    });
  });
}

/** Maximum number of values in one completion (MCP server/utilities/completion). */
const MOST_VALUES = 100;

export function serveCompletion(server: Server, caller: McpCaller): void {
  server.setRequestHandler('completion/complete', ({ params }) =>
    asProtocol(() => completion(mayUse(caller.client, 'read') ? matching(params, caller) : [])),
  );
}

function matching({ ref, argument }: CompleteRequestParams, { connection }: McpCaller): string[] {
  const { prompts, resources } = connection;
  return ref.type === 'ref/prompt'
    ? prompts.complete(ref.name, argument.name, argument.value)
    : resources.complete(ref.uri, argument.name, argument.value);
}

function completion(values: readonly string[]): CompleteResult {
  const hasMore = values.length > MOST_VALUES;
  return { completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore } };
}

export function serveResources(server: Server, services: McpServices, caller: McpCaller): void {
  const { client, connection, interest } = caller;
  const { resources } = connection;
  server.setRequestHandler('resources/list', ({ params }) =>
    asProtocol(() => {
      if (!mayUse(client, 'read')) return { resources: [] };
      interest?.listed();
      const { resources: listed, next } = resources.list(params?.cursor);
      return { resources: listed, ...(next === undefined ? {} : { nextCursor: next }) };
    }),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: mayUse(client, 'read') ? resources.templates : [],
  }));
  server.setRequestHandler('resources/read', ({ method, params: { uri } }) =>
    gatedRead(services, caller, { method, args: { uri } }, async () => ({
      contents: [await resources.read(uri)],
    })),
  );
  if (interest) serveSubscriptions(server, services, caller, interest);
}

/**
 * Serves `resources/subscribe` of the 2025 era. Later revisions use `subscriptions/listen`, which the SDK
 * handles.
 */
function serveSubscriptions(
  server: Server,
  services: McpServices,
  caller: McpCaller,
  interest: ResourceInterest,
): void {
  server.setRequestHandler('resources/subscribe', ({ method, params: { uri } }) =>
    gatedRead(services, caller, { method, args: { uri } }, () => {
      caller.connection.resources.require(uri);
      interest.subscribe(uri);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    interest.unsubscribe(params.uri);
    return {};
  });
}

/** A request: its method and the recorded parameters. `uri` is that of a resource. */
interface ReadRequest {
  method: string;
  args: { uri: string } | { name: string; arguments: Record<string, string> };
}

/** @throws ProtocolError for errors that the client can correct; anything else is a bug */
async function gatedRead<T>(
  { gate }: McpServices,
  { client, endpoint }: McpCaller,
  { method, args }: ReadRequest,
  work: () => T | Promise<T>,
): Promise<T> {
  const call = { client, endpoint, tool: method, scope: 'read', args } as const;
  return asProtocol(
    async () => {
      const { value } = await gate.run(call, async () => ({ isError: false, value: await work() }));
      return value;
    },
    'uri' in args ? args.uri : undefined,
  );
}

/**
 * @param uri the requested resource
 * @throws ProtocolError for a HarborError of `work`
 */
async function asProtocol<T>(work: () => T | Promise<T>, uri = ''): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HarborError)) throw error;
    const { code, message } = error;
    if (code === 'unknown_resource') throw new ResourceNotFoundError(uri, `Resource not found: ${message}`);
    const status = CLIENTS_ERRORS.includes(code)
      ? ProtocolErrorCode.InvalidParams
      : ProtocolErrorCode.InternalError;
    throw new ProtocolError(status, code === 'bad_arguments' ? message : `${code}: ${message}`);
  }
}

/** Errors of the client’s parameters. All others are internal errors. */
const CLIENTS_ERRORS: readonly ErrorCode[] = [
  'bad_arguments',
  'not_a_file',
  'path_not_allowed',
  'project_not_approved',
  'scope_missing',
  'secret_path',
  'unknown_evaluation',
  'unknown_session',
];
