/**
 * The first line on the local socket. It contains the bridge secret and selects the protocol: an MCP
 * conversation, a REPL, one tool call, the calls of an editor, or one command. A refusal is one line of JSON,
 * distinguished from MCP by `ok`.
 */
import { z } from 'zod';
import { asFailure } from './errors';
import { EngineName, ErrorCode, type EvaluationKind, type Stream } from './model';

export const MAX_HELLO_BYTES = 64 * 1024;

const ClientKey = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'letters, digits, dot, dash and underscore, at most 64');

export const Hello = z.discriminatedUnion('kind', [
  z.object({
    secret: z.string(),
    kind: z.literal('mcp'),
    client: ClientKey,
    /** Identifies the conversation to a later instance of the harbor. */
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
    /** Name of the session, which then stays open; absent: a session for this connection. */
    session: z.string().min(1).max(80).optional(),
  }),
  z.object({
    secret: z.string(),
    kind: z.literal('tool'),
    /** The working directory of the command. */
    folder: z.string(),
    /** Distinguishes several agents in one folder; absent for those that give no name. */
    agent: z.string().min(1).max(80).optional(),
    /** The project that was named. */
    project: z.string().optional(),
    /** Validated later, so that a hello of another version can be recognized. */
    engine: z.string().optional(),
    /** A handle, or a name; a session of that name is opened if there is none. */
    session: z.string().min(1).max(80).optional(),
    /** Whether to stream output. */
    live: z.boolean(),
  }),
  z.object({
    secret: z.string(),
    kind: z.literal('editor'),
    /** The editor's name. */
    client: ClientKey,
    project: z.string(),
    engine: EngineName.optional(),
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
export type EditorHello = Extract<Hello, { kind: 'editor' }>;
export type ToolHello = Extract<Hello, { kind: 'tool' }>;
export type CommandHello = Extract<Hello, { kind: 'command' }>;

/** Response to a command, and refusal of any hello. */
export const LocalReply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), code: ErrorCode, message: z.string() }),
]);
export type LocalReply = z.infer<typeof LocalReply>;

export function failureReply(error: unknown): LocalReply {
  return { ok: false, ...asFailure(error) };
}

/** `end` means that no more lines follow: the harbor answers those received and closes the connection. */
export const FromRepl = z.union([
  z.object({ line: z.string() }),
  z.object({ interrupt: z.literal(true) }),
  z.object({ end: z.literal(true) }),
]);
export type FromRepl = z.infer<typeof FromRepl>;

export const ToRepl = z.object({ output: z.string() });
export type ToRepl = z.infer<typeof ToRepl>;

/** The second line of a tool call on the command line. Any further line interrupts the call. */
export const ToolCall = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type ToolCall = z.infer<typeof ToolCall>;

/** First an acknowledgement, then output, and finally a `LocalReply` with a `ToolAnswer`. */
export type ToToolCaller = { taken: true } | { output: string; stream: Printed };

/** Without warnings, which are in the answer, and input, which the waiting caller gives. */
export type Printed = Extract<Stream, 'stdout' | 'stderr'>;

/**
 * A line of an editor: a tool call with an id of its choice, its interrupt, or a line that its code reads (null at the end
 * of the input). The output of a `live` call is sent as it is printed, and the call waits until the evaluation ends.
 */
export const FromEditor = z.union([
  ToolCall.extend({ id: z.int(), live: z.boolean() }),
  z.object({ id: z.int(), interrupt: z.literal(true) }),
  z.object({ id: z.int(), input: z.string().nullable() }),
]);
export type FromEditor = z.infer<typeof FromEditor>;

/** An evaluation that has ended in the editor's project, whoever made it. */
export interface EndedEvaluation {
  evaluation: number;
  session: string;
  kind: EvaluationKind;
}

export type ToEditor =
  | ({ id: number } & ({ output: string; stream: Printed } | { reads: true } | LocalReply))
  | EndedEvaluation;

export interface ToolAnswer {
  text: string;
  data: Readonly<Record<string, unknown>>;
  isError: boolean;
}
