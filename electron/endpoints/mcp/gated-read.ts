/**
 * What a client reads without calling a tool passes the gate like a call: it needs the scope `read`, and its row in
 * `calls` names the method. What goes wrong is the protocol's error, because such requests have no result to tell it in.
 */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { type ErrorCode, HarborError } from '../../contract/errors';
import type { McpCaller, McpServices } from './mcp-conversation';

/** A request, by its method and what is recorded of its parameters; `uri` is that of a resource. */
export interface ReadRequest {
  method: string;
  args: { uri: string } | { name: string; arguments: Record<string, string> };
}

/** @throws ProtocolError for what the client can mend; what else is thrown is a defect of ours */
export async function gatedRead<T>(
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

/** @param uri the resource that is asked for
 * @throws ProtocolError for a HarborError that `work` throws */
export async function asProtocol<T>(work: () => T | Promise<T>, uri = ''): Promise<T> {
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

/** Other parameters would have done better; everything else is the state of things here. */
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
