/**
 * The MCP server of one `Connection`: its tools, prompts and resources, for every transport and both protocol
 * eras. It uses the SDK’s low-level `Server`, because the schemas are JSON already and the toolbox validates
 * arguments; doing it again would take longer than a call.
 */

import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { asFailure, HarborError, similarNames } from '../../contract/errors';
import { traceContextIn } from '../../contract/trace-context';
import { noteLines, type RenderedResult } from '../../tools/rendering';
import type { ToolListing } from '../../tools/tool';
import { cleanText, wireData } from '../../tools/wire-data';
import { type McpCaller, type McpServices, ownerOf } from './caller';
import { HarborServer } from './harbor-server';
import { acceptsData, type Program, programOf, resolvedName, shownName } from './model-clients';
import { serveCompletion, servePrompts, serveResources } from './prompts-and-resources';
import { type OffersDuringCall, RestartOffers } from './restart-offers';
import { answerCall, CallProgress, type OpenCall, serveTasks, TASKS_EXTENSION } from './tasks';

/**
 * Versions that `initialize` can negotiate, newest first. 2026-07-28 has no handshake; the SDK adds it where
 * it is served.
 */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const CAPABILITIES = {
  // The stdio bridge also sends list_changed, after the harbor was replaced by another version.
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  completions: {},
};

/** Builds the server of one conversation, or of one request of the 2026 era. */
export type MakeServer = (services: McpServices, caller: McpCaller) => Server;

/** Returns a server that can be connected to a transport. */
export function mcpServer(services: McpServices, caller: McpCaller): HarborServer {
  const offers = new RestartOffers(caller, services.stateKey);
  const server = new HarborServer(
    { name: 'lisp-harbor', title: 'Lisp Harbor', version: services.version },
    {
      // 2025 revisions have another kind of tasks.
      capabilities:
        caller.era === 'modern' ? { ...CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } } : CAPABILITIES,
      instructions: caller.connection.instructions,
      supportedProtocolVersions: HANDSHAKE_VERSIONS,
      cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
      requestState: { verify: (state, context) => offers.verify(state, context) },
    },
  );
  server.setRequestHandler('tools/list', (_request, context) => {
    const program = programOf(server, context);
    if (program) services.log.debug(`${caller.client.key} is ${program.name} ${program.version}`);
    return { tools: permitted(caller).map(({ tool }) => shownTo(program, tool, caller)) };
  });
  // The owner does not include the profile, so a client finds its tasks after the user chose another profile.
  const owner = ownerOf({ client: caller.client, profile: null });
  server.handleCalls((request, context) => {
    const options = { tasks: services.tasks, owner, request: context, progress: CallProgress.of(context) };
    const program = programOf(server, context);
    const requested = { request, context, offers: offers.during(server, context), program };
    return answerCall({ ...options, endJob: (job) => endJob(caller, job) }, (call) =>
      callTool(services, caller, { ...requested, call }),
    );
  });
  serveTasks(server, services.tasks, owner);
  servePrompts(server, services, caller);
  serveResources(server, services, caller);
  serveCompletion(server, caller);
  return server;
}

/** Returns the tool as it is listed to a program. */
function shownTo(program: Program | undefined, tool: ToolListing['tool'], { connection }: McpCaller) {
  const { outputSchema, ...rest } = tool;
  const name = shownName(tool.name, connection.profile, program);
  return { ...rest, name, ...(acceptsData(program) && outputSchema ? { outputSchema } : {}) };
}

function permitted({ connection, client }: McpCaller): ToolListing[] {
  return connection.tools.filter((listing) => client.scopes.has(listing.scope));
}

interface RequestedCall {
  request: CallToolRequest;
  context: ServerContext;
  call: OpenCall;
  offers: OffersDuringCall;
  /** The program that sent the request. */
  program: Program | undefined;
}

async function callTool(
  services: McpServices,
  caller: McpCaller,
  { request, context, call, offers, program }: RequestedCall,
): Promise<CallToolResult | InputRequiredResult> {
  const { arguments: args = {} } = request.params;
  const { signal, _meta: meta } = context.mcpReq;
  const trace = meta && 'traceparent' in meta ? traceContextIn(meta) : undefined;
  const { connection, client, endpoint } = caller;
  const name = resolvedName(request.params.name, connection.profile, program);
  services.log.debug(`${client.key} calls ${name} over ${endpoint}`);
  const { scope = null, approval } = connection.needs(name) ?? {};
  try {
    const gated = {
      ...{ client, endpoint, tool: name, scope, args, signal: call.signal },
      ...(trace === undefined ? {} : { trace }),
      check: () => connection.check(name, args),
      ...(approval === undefined ? {} : { approval }),
    };
    const result = await offers.answer(name, call, (each) =>
      services.gate.run({ ...gated, accept: () => connection.accept(name, args, each) }, (grant) =>
        connection.call(name, args, { ...each, grant }),
      ),
    );
    return isInputRequiredResult(result) ? result : callResult(result, acceptsData(program));
  } catch (error) {
    if (!(error instanceof HarborError)) throw defect(services, name, signal, error);
    if (error.code === 'unknown_tool') throw unknownTool(name, caller);
    return failure(error);
  }
}

/** Cancels a job with the tool `job`, which every profile has. */
async function endJob({ connection }: McpCaller, job: string): Promise<void> {
  const { signal } = new AbortController();
  await connection.call('job', { job, action: 'cancel' }, { signal, grant: null });
}

function callResult(
  { text, verbatim, asides, extraMembers, structured, whole, isError }: RenderedResult,
  isForProgram: boolean,
): CallToolResult {
  const content = verbatim ? [{ type: 'text' as const, text }, ...texts(...asides)] : texts(text, ...asides);
  const data = isForProgram ? { structuredContent: wireData(structured, whole) } : {};
  return { ...extraMembers, content, ...data, isError };
}

function texts(...parts: string[]): CallToolResult['content'] {
  return parts.map((text) => ({ type: 'text', text: cleanText(text) }));
}

/**
 * Converts an error that the caller can correct to a tool result. It has no structured content, which would
 * have to match the tool’s schema.
 */
function failure({ code, message, notes, members }: HarborError): CallToolResult {
  return { ...members, content: texts(`${code}: ${message}`, ...noteLines(notes)), isError: true };
}

/** Converts a bug to a JSON-RPC error and logs it. */
function defect({ log }: McpServices, tool: string, signal: AbortSignal, error: unknown): ProtocolError {
  if (!signal.aborted) log.error(`Tool ${tool} failed`, error);
  const { message } = asFailure(error);
  return new ProtocolError(ProtocolErrorCode.InternalError, `Internal error in ${tool}: ${message}`);
}

function unknownTool(name: string, caller: McpCaller): ProtocolError {
  const known = permitted(caller).map(({ tool }) => tool.name);
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${name}. For this client: ${similarNames(name, known) || 'none'}.`,
  );
}
