/**
 * Programs that show what they get to a model. Each gets a result once, as text: the data would say the same again, or
 * instead. MCP requires data where a tool has an output schema, so those are not told to them either. Everybody else
 * (scripts, inspectors, programs that nobody has looked at) gets both.
 */
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

const Program = z.object({ name: z.string(), version: z.string() });
export type Program = z.infer<typeof Program>;

/** What a model is shown of a result that has both. */
export type Shown = 'text' | 'data' | 'both';

export interface ModelClient {
  /** `clientInfo.name`, whole. */
  names: RegExp;
  program: string;
  /** Absent where it could not be run; its name is then what others have recorded of it. */
  seen?: { version: string; result: Shown; error: Shown };
  /** Its model sees the tools of all servers under their own names: of two that are called `read_file` one is lost. */
  mixesServers?: true;
}

/**
 * Seen in November 2026 (`test/clients` runs what npm has). Not here: the AI SDK, a library. A program made of it may read
 * the data, and the model is shown the text alone.
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
    // What follows is the name of the server in its configuration.
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

/** mcp-remote carries the conversation of another program, and says so behind its name. */
const CARRIED = ' (via ';

/** The row of a program that says this of itself; undefined for one that is not known. */
export function modelClientNamed(name: string): ModelClient | undefined {
  const [own = name] = name.split(CARRIED, 1);
  return MODEL_CLIENTS.find(({ names }) => names.test(own));
}

/** Whether a program is sent data beside the text, and told of output schemas. */
export function takesData(program: Program | undefined): boolean {
  return program === undefined || modelClientNamed(program.name) === undefined;
}

/** Before the names of our own tools, where those of several servers stand in one list. Other systems' keep theirs. */
const OWN = 'lisp_';

/** How a program's model is told of the tool `name`. */
export function shownName(name: string, profile: string, program: Program | undefined): string {
  const isMixed = program !== undefined && modelClientNamed(program.name)?.mixesServers;
  return isMixed && profile === 'default' ? `${OWN}${name}` : name;
}

/** The tool that is meant by what the program calls it, the name from before an update included. */
export function meantName(name: string, profile: string, program: Program | undefined): string {
  const isShown = name.startsWith(OWN) && shownName('', profile, program) === OWN;
  return isShown ? name.slice(OWN.length) : name;
}

/** What the program that sent a request calls itself: 2026-07-28 says it in each, earlier revisions in `initialize`. */
export function programOf(server: Server, { mcpReq }: ServerContext): Program | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return Program.safeParse(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion()).data;
}
