/**
 * Known MCP client programs that pass results to a model. They get a result once, as text, because structured
 * content would repeat or replace it. MCP requires structured content for a tool with an output schema, so
 * these programs get no output schemas either. All other programs (scripts, inspectors, unknown programs) get
 * both.
 */
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

const Program = z.object({ name: z.string(), version: z.string() });
export type Program = z.infer<typeof Program>;

/** The part of a result that the model sees if it has both. */
export type Shown = 'text' | 'data' | 'both';

export interface ModelClient {
  /** Matches all of `clientInfo.name`. */
  names: RegExp;
  program: string;
  /** Absent if the program could not be run. Its name is then from published records. */
  seen?: { version: string; result: Shown; error: Shown };
  /** The model sees the tools of all servers in one namespace, so tools with equal names collide. */
  mixesServers?: true;
}

/**
 * Observed in November 2026 (`test/clients` runs the npm packages). The AI SDK is not listed, because it is a
 * library: programs built on it may read structured content, and the model sees only text.
 */
export const MODEL_CLIENTS: readonly ModelClient[] = [
  {
    names: /^claude-code$/,
    program: 'Claude Code',
    seen: { version: '2.1.331', result: 'data', error: 'text' },
  },
  {
    names: /^codex-mcp-client$/,
    program: 'Codex',
    seen: { version: '0.169.0', result: 'data', error: 'data' },
  },
  {
    names: /^copilot-cli$|^github-copilot-developer$/,
    program: 'Copilot CLI',
    seen: { version: '1.0.102', result: 'both', error: 'both' },
  },
  {
    names: /^@cline\/core$/,
    program: 'Cline CLI',
    seen: { version: '3.0.65', result: 'both', error: 'both' },
  },
  {
    names: /^gemini-cli-mcp-client$/,
    program: 'Gemini CLI',
    seen: { version: '0.61.0', result: 'text', error: 'both' },
  },
  {
    // The suffix is the server’s name in the configuration.
    names: /^qwen-cli-mcp-client-/,
    program: 'Qwen Code',
    seen: { version: '0.24.4', result: 'both', error: 'both' },
  },
  { names: /^opencode$/, program: 'opencode', seen: { version: '1.18.33', result: 'text', error: 'text' } },
  {
    names: /^continue-cli-client$/,
    program: 'Continue CLI',
    seen: { version: '1.5.47', result: 'text', error: 'text' },
    mixesServers: true,
  },
  { names: /^claude-ai$/, program: 'Claude Desktop' },
  { names: /^Visual[ -]Studio[ -]Code\b/, program: 'VS Code' },
  { names: /^cursor-vscode$/, program: 'Cursor' },
  { names: /^windsurf(-client)?$/i, program: 'Windsurf' },
  { names: /^Zed$/, program: 'Zed' },
  { names: /^(Cline|Roo[ -]Code|Kilo[ -]Code)$/, program: 'Cline, Roo Code and Kilo Code' },
  { names: /^lmstudio-mcp-bridge$/, program: 'LM Studio' },
  { names: /^goose$/, program: 'Goose' },
  { names: /^crush$/, program: 'Crush' },
  { names: /^amp-mcp-client$/, program: 'Amp' },
];

/** mcp-remote forwards the conversation of another program and appends itself to the name. */
const CARRIED = ' (via ';

/** Returns the entry of a program name, or undefined. */
export function modelClientNamed(name: string): ModelClient | undefined {
  const [own = name] = name.split(CARRIED, 1);
  return MODEL_CLIENTS.find(({ names }) => names.test(own));
}

/** Reports whether a program gets structured content and output schemas. */
export function acceptsData(program: Program | undefined): boolean {
  return program === undefined || modelClientNamed(program.name) === undefined;
}

/**
 * Prefix of our own tool names where the tools of several servers share a namespace. Tool adapters keep their
 * names.
 */
const OWN = 'lisp_';

/** Returns the name under which a program’s model sees the tool `name`. */
export function shownName(name: string, profile: string, program: Program | undefined): string {
  const isMixed = program !== undefined && modelClientNamed(program.name)?.mixesServers;
  return isMixed && profile === 'default' ? `${OWN}${name}` : name;
}

/** Returns the tool that a program calls `name`. Names from before an update are accepted. */
export function resolvedName(name: string, profile: string, program: Program | undefined): string {
  const isShown = name.startsWith(OWN) && shownName('', profile, program) === OWN;
  return isShown ? name.slice(OWN.length) : name;
}

/**
 * Returns the program that sent a request. 2026-07-28 names it in each request, earlier revisions in
 * `initialize`.
 */
export function programOf(server: Server, { mcpReq }: ServerContext): Program | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return Program.safeParse(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion()).data;
}
