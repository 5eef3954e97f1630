/**
 * One MCP server over one `Connection`: its tools, prompts and resources, the same for every transport and both
 * protocol eras. Handlers sit on the SDK's low-level `Server`, because schemas are JSON already and arguments
 * are validated by the toolbox; converting and validating them again would cost more than the call.
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
import { asFailure, HarborError } from '../../contract/errors';
import { namesNear } from '../../contract/names-there';
import { cleanText } from '../../tools/clean-text';
import { noted, type ToolListing, type ToolResult } from '../../tools/tool';
import { wireData } from '../../tools/wire-data';
import { CallProgress } from './call-progress';
import { answerCall, type OpenCall } from './call-task';
import { type OffersDuringCall, RestartOffers } from './elicited-restart';
import type { McpCaller, McpServices } from './mcp-conversation';
import { ownerOf } from './mcp-exchange';
import { serveCompletion, servePrompts } from './mcp-prompts';
import { serveResources } from './mcp-resources';
import { serveTasks, TASKS_EXTENSION } from './mcp-tasks';
import { meantName, type Program, programOf, shownName, takesData } from './model-clients';
import { WellFormedServer } from './well-formed-server';

/** What `initialize` can agree on, newest first; 2026-07-28 has no handshake, the SDK adds it where it is served. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const CAPABILITIES = {
  // The stdio bridge, too, sends list_changed after the harbor was replaced, perhaps by a newer one.
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  completions: {},
};

/** Makes the server of one conversation, or of one request of the 2026 era. */
export type MakeServer = typeof mcpServer;

/** A server ready to be connected to a transport. */
export function mcpServer(services: McpServices, caller: McpCaller): Server {
  const offers = new RestartOffers(caller, services.stateKey);
  const server = new WellFormedServer(
    { name: 'lisp-harbor', title: 'Lisp Harbor', version: services.version },
    {
      // 2025 revisions know tasks of another kind.
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
  // Whatever profile a person chooses meanwhile, a client finds its tasks again.
  const owner = ownerOf({ client: caller.client, profile: null });
  server.setRequestHandler('tools/call', (request, context) => {
    const options = { tasks: services.tasks, owner, request: context, progress: CallProgress.of(context) };
    const program = programOf(server, context);
    const asked = { request, context, offers: offers.during(server, context), program };
    return answerCall({ ...options, endJob: (job) => endJob(caller, job) }, (call) =>
      callTool(services, caller, { ...asked, call }),
    );
  });
  serveTasks(server, services.tasks, owner);
  servePrompts(server, services, caller);
  serveResources(server, services, caller);
  serveCompletion(server, caller);
  return server;
}

/** The tool as a program lists it. */
function shownTo(program: Program | undefined, tool: ToolListing['tool'], { connection }: McpCaller) {
  const { outputSchema, ...rest } = tool;
  const name = shownName(tool.name, connection.profile, program);
  return { ...rest, name, ...(takesData(program) && outputSchema ? { outputSchema } : {}) };
}

function permitted({ connection, client }: McpCaller): ToolListing[] {
  return connection.tools.filter((listing) => client.scopes.has(listing.scope));
}

interface AskedCall {
  request: CallToolRequest;
  context: ServerContext;
  call: OpenCall;
  offers: OffersDuringCall;
  /** That asks. */
  program: Program | undefined;
}

async function callTool(
  services: McpServices,
  caller: McpCaller,
  { request, context, call, offers, program }: AskedCall,
): Promise<CallToolResult | InputRequiredResult> {
  const { arguments: args = {} } = request.params;
  const { signal } = context.mcpReq;
  const { connection, client, endpoint } = caller;
  const name = meantName(request.params.name, connection.profile, program);
  services.log.debug(`${client.key} calls ${name} over ${endpoint}`);
  const { scope = null, approval } = connection.needs(name) ?? {};
  try {
    const gated = {
      ...{ client, endpoint, tool: name, scope, args, signal: call.signal },
      check: () => connection.check(name, args),
      ...(approval === undefined ? {} : { approval }),
    };
    const result = await offers.answer(name, call, (each) =>
      services.gate.run(gated, () => connection.call(name, args, each)),
    );
    return isInputRequiredResult(result) ? result : callResult(result, takesData(program));
  } catch (error) {
    if (!(error instanceof HarborError)) throw defect(services, name, signal, error);
    if (error.code === 'unknown_tool') throw unknownTool(name, caller);
    return failure(error);
  }
}

/** As the tool for it does, which every profile has. */
async function endJob({ connection }: McpCaller, job: string): Promise<void> {
  const { signal } = new AbortController();
  await connection.call('job', { job, action: 'cancel' }, { signal });
}

function callResult(
  { text, verbatim, asides = [], beside, structured, whole, isError }: ToolResult,
  isForProgram: boolean,
): CallToolResult {
  const content = verbatim ? [{ type: 'text' as const, text }, ...texts(...asides)] : texts(text, ...asides);
  const data = isForProgram ? { structuredContent: wireData(structured, whole) } : {};
  return { ...beside, content, ...data, isError };
}

function texts(...parts: string[]): CallToolResult['content'] {
  return parts.map((text) => ({ type: 'text', text: cleanText(text) }));
}

/** What the caller can mend is a result that its model reads. Nothing structured: that would have to fit the tool's schema. */
function failure({ code, message, notes }: HarborError): CallToolResult {
  return { content: texts(`${code}: ${message}`, ...notes.map(noted)), isError: true };
}

/** A defect of ours is a JSON-RPC error. */
function defect({ log }: McpServices, tool: string, signal: AbortSignal, error: unknown): ProtocolError {
  if (!signal.aborted) log.error(`Tool ${tool} failed`, error);
  const { message } = asFailure(error);
  return new ProtocolError(ProtocolErrorCode.InternalError, `Internal error in ${tool}: ${message}`);
}

function unknownTool(name: string, caller: McpCaller): ProtocolError {
  const known = permitted(caller).map(({ tool }) => tool.name);
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${name}. For this client: ${namesNear(name, known) || 'none'}.`,
  );
}
