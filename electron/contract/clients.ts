/** Client programs: their MCP configuration, and the tool profiles chosen for them. */
import { z } from 'zod';
import { HarborError, listSimilarNames } from './errors';
import { EngineName, Scope } from './model';

/**
 * State of the harbor's entry in a program's MCP configuration. `dropped`: the entry was removed by the
 * program; `moved`: it has an old address; `foreign`: an entry of our name that the harbor did not write;
 * `manual`: the program has no file that can be written.
 */
export const ConnectState = z.enum([
  ...['absent', 'ready', 'connected', 'dropped', 'moved', 'outdated', 'foreign', 'unreadable', 'manual'],
] as const);
export type ConnectState = z.infer<typeof ConnectState>;

/** Transport of a program: a command that it runs, or an HTTP address. */
export const TransportKind = z.enum(['stdio', 'http']);
export type TransportKind = z.infer<typeof TransportKind>;

/** The user's choice for a client; null for the default. */
export const ClientChoice = z.object({
  profile: z.string().nullable(),
  engine: EngineName.nullable(),
  scopes: z.array(Scope).nullable(),
});
export type ClientChoice = z.infer<typeof ClientChoice>;

/** Options for connecting a program. Absent options keep their present value. */
export const ConnectRequest = z.object({
  transport: TransportKind.optional(),
  choice: ClientChoice.partial().optional(),
  /** Absolute path of the only folder to connect it for. */
  project: z.string().optional(),
  /** Whether to replace a token that works. */
  newToken: z.boolean().optional(),
});
export type ConnectRequest = z.infer<typeof ConnectRequest>;

export const ConnectView = z.object({
  name: z.string(),
  title: z.string(),
  /** null for a program whose file cannot be written. */
  file: z.string().nullable(),
  state: ConnectState,
  /** Reason for the state and what to do, in one or two sentences. */
  detail: z.string(),
  /** Whether the program is installed on this computer. */
  found: z.boolean(),
  /** Transport of the existing entry. */
  transport: TransportKind.nullable(),
  /** Whether the program supports HTTP. */
  takesHttp: z.boolean(),
  choice: ClientChoice,
  /** The entry as text to paste: for a command, or for HTTP with a placeholder for the token. */
  snippet: z.string(),
  httpSnippet: z.string().optional(),
  /** Shell command that does the same as Connect, if the program has one. */
  command: z.string().optional(),
  /** Link that makes the program offer to add the entry with the command. */
  link: z.string().optional(),
  /** Steps after writing, such as restarting the program. */
  afterwards: z.string(),
  /** How it was verified that the program reads the file. */
  verified: z.string(),
  /** Path of the backup of the file. */
  backup: z.string().optional(),
});
export type ConnectView = z.infer<typeof ConnectView>;

/** Result of connecting in the same way as the program, with the entry in its file. */
export const ConnectDiagnosis = z.object({
  name: z.string(),
  title: z.string(),
  ok: z.boolean(),
  /** Sentences: what was tried, the result, and what the program's model receives. */
  lines: z.array(z.string()),
});
export type ConnectDiagnosis = z.infer<typeof ConnectDiagnosis>;

/** Preview of a change to a configuration file: the changed lines, empty if nothing changes. */
export const ConnectPreview = z.object({ file: z.string(), diff: z.string() });
export type ConnectPreview = z.infer<typeof ConnectPreview>;

/** The profile of each client that does not name one. */
export const ChosenProfiles = z.object({
  /** The default profile. */
  usual: z.string(),
  known: z.array(z.string()),
  /** Profile by client key. */
  chosen: z.record(z.string(), z.string()),
});
export type ChosenProfiles = z.infer<typeof ChosenProfiles>;

/** null restores the default. */
export const ProfileChoice = z.object({ client: z.string().min(1).max(64), profile: z.string().nullable() });
export type ProfileChoice = z.infer<typeof ProfileChoice>;

/** The profiles, in display order. */
export const ProfileName = z.enum(['default', 'cl-mcp-server', 'lisp-mcp-server', 'acl2', 'nrepl', 'lisply']);
export type ProfileName = z.infer<typeof ProfileName>;

/** Returns the profile of that name. @throws HarborError `bad_arguments` */
export function profileNamed(name: string): ProfileName {
  const known = ProfileName.safeParse(name);
  if (known.success) return known.data;
  throw new HarborError(
    'bad_arguments',
    `There is no profile ${name}. ${listSimilarNames(name, ProfileName.options)}`,
  );
}
