/** Other programs that are connected to the harbor: what their files say of it, and what is asked for. */
import { z } from 'zod';
import { EngineName, Scope } from './model';

/**
 * Another program's MCP configuration. `dropped`: our entry was there and is gone; `moved`: it has the address from before;
 * `foreign`: an entry of our name that we did not write; `manual`: the program has no file that others can write.
 */
export const ConnectState = z.enum([
  ...['absent', 'ready', 'connected', 'dropped', 'moved', 'outdated', 'foreign', 'unreadable', 'manual'],
] as const);
export type ConnectState = z.infer<typeof ConnectState>;

/** How a program reaches the harbor: by a command that it runs, or at its address. */
export const TransportKind = z.enum(['stdio', 'http']);
export type TransportKind = z.infer<typeof TransportKind>;

/** What a person chose for a client; null: the usual. */
export const ClientChoice = z.object({
  profile: z.string().nullable(),
  engine: EngineName.nullable(),
  scopes: z.array(Scope).nullable(),
});
export type ClientChoice = z.infer<typeof ClientChoice>;

/** What is asked for when a program is connected; what is left out stays as it is. */
export const ConnectAsked = z.object({
  transport: TransportKind.optional(),
  choice: ClientChoice.partial().optional(),
  /** The folder for which alone it is connected, absolute. */
  project: z.string().optional(),
  /** Whether a token that works is replaced. */
  newToken: z.boolean().optional(),
});
export type ConnectAsked = z.infer<typeof ConnectAsked>;

export const ConnectView = z.object({
  name: z.string(),
  title: z.string(),
  /** null for a program without one that others can write. */
  file: z.string().nullable(),
  state: ConnectState,
  /** Why the state is what it is and what to do, in a sentence or two. */
  detail: z.string(),
  /** Something of the program is on this computer. */
  found: z.boolean(),
  /** Of the entry that is there. */
  transport: TransportKind.nullable(),
  /** Whether it can be given an address. */
  takesHttp: z.boolean(),
  choice: ClientChoice,
  /** The entry as text to paste by hand, for a command; and for the address, with a token yet to be put in. */
  snippet: z.string(),
  httpSnippet: z.string().optional(),
  /** A line for a shell that does the same as Connect, where the program has one. */
  command: z.string().optional(),
  /** An address that has the program ask its person for the entry with the command. */
  link: z.string().optional(),
  /** What to do after writing, such as quitting the program fully. */
  afterwards: z.string(),
  /** How it is known that the program reads it. */
  verified: z.string(),
  /** Where the file from before our entry is kept. */
  backup: z.string().optional(),
});
export type ConnectView = z.infer<typeof ConnectView>;

/** What a client that does as the program does gets from the harbor, by exactly the entry that is in its file. */
export const ConnectDiagnosis = z.object({
  name: z.string(),
  title: z.string(),
  ok: z.boolean(),
  /** Each a sentence: what was tried, what came of it, what its model sees. */
  lines: z.array(z.string()),
});
export type ConnectDiagnosis = z.infer<typeof ConnectDiagnosis>;

/** What changes in a config file before it is written: those lines alone, empty when nothing would change. */
export const ConnectPreview = z.object({ file: z.string(), diff: z.string() });
export type ConnectPreview = z.infer<typeof ConnectPreview>;
