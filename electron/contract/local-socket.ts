/**
 * The first line on the harbor's local socket: it shows the bridge secret and says what the rest is, an MCP
 * conversation, a REPL, one call of a tool or one command. A refusal is one line of JSON as well, told from MCP by its `ok`.
 */
import { z } from 'zod';
import { ErrorCode } from './error-code';
import { asFailure } from './errors';
import { EngineName, type Stream } from './model';

export const MAX_HELLO_BYTES = 64 * 1024;

const ClientKey = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'letters, digits, dot, dash and underscore, at most 64');

export const Hello = z.discriminatedUnion('kind', [
  z.object({
    secret: z.string(),
    kind: z.literal('mcp'),
    client: ClientKey,
    /** What the same conversation names itself by to a later harbor. */
    conversation: z.uuid().optional(),
    project: z.string().optional(),
    profile: z.string().optional(),
    engine: EngineName.optional(),
  }),
  z.object({
    secret: z.string(),
    kind: z.literal('repl'),
    project: z.string().optional(),
    engine: EngineName.optional(),
    /** The name of the session, which then stays; absent: one for this time. */
    session: z.string().min(1).max(80).optional(),
  }),
  z.object({
    secret: z.string(),
    kind: z.literal('tool'),
    /** Where the command was typed. */
    folder: z.string(),
    /** Who types, where several do in one folder; absent: whoever gives no name. */
    agent: z.string().min(1).max(80).optional(),
    /** The project that it names. */
    project: z.string().optional(),
    /** Checked later: what is no hello at all comes from another version. */
    engine: z.string().optional(),
    /** A handle, or a name, under which a session is opened where there is none. */
    session: z.string().min(1).max(80).optional(),
    /** Whether to send what is printed while it is printed. */
    live: z.boolean(),
  }),
  z.object({
    secret: z.string(),
    kind: z.literal('command'),
    command: z.string(),
    arguments: z.unknown(),
  }),
]);
export type Hello = z.infer<typeof Hello>;

export type McpHello = Extract<Hello, { kind: 'mcp' }>;
export type ReplHello = Extract<Hello, { kind: 'repl' }>;
export type ToolHello = Extract<Hello, { kind: 'tool' }>;
export type CommandHello = Extract<Hello, { kind: 'command' }>;

/** What answers a command, and what refuses any hello. */
export const LocalReply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), code: ErrorCode, message: z.string() }),
]);
export type LocalReply = z.infer<typeof LocalReply>;

export function failureReply(error: unknown): LocalReply {
  return { ok: false, ...asFailure(error) };
}

/** `end` says that no more lines will come: the harbor closes the connection once it has answered those that came. */
export const FromRepl = z.union([
  z.object({ line: z.string() }),
  z.object({ interrupt: z.literal(true) }),
  z.object({ end: z.literal(true) }),
]);
export type FromRepl = z.infer<typeof FromRepl>;

export const ToRepl = z.object({ output: z.string() });
export type ToRepl = z.infer<typeof ToRepl>;

/** The second line of a call at the command line. Any other line after it interrupts what the call began. */
export const ToolCall = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type ToolCall = z.infer<typeof ToolCall>;

/** First that the harbor has taken it, then what is printed, in the end `LocalReply` with a `ToolAnswer`. */
export type ToToolCaller = { taken: true } | { output: string; stream: Printed };

/** Warnings are in the answer, and what code reads comes from who waits for it. */
export type Printed = Extract<Stream, 'stdout' | 'stderr'>;

export interface ToolAnswer {
  text: string;
  data: Readonly<Record<string, unknown>>;
  isError: boolean;
}
