/** What waits for a person, and what agents do meanwhile: what Home, the tray and the notifications tell. */
import { z } from 'zod';
import { Wish } from './approvals';
import { type ErrorCode, HarborError } from './errors';

/** A file that was refused to a client, which a person may open. */
export const Refusal = z.object({
  id: z.number().int(),
  client: z.string(),
  tool: z.string(),
  /** As the call named it, made absolute. */
  path: z.string(),
  use: z.enum(['read', 'write']),
  /** The session's project, for which it is refused. */
  project: z.string(),
  /** The folder around it that a person would most likely open. */
  folder: z.string(),
  /** How often it was asked for. */
  times: z.number().int(),
  at: z.number(),
});
export type Refusal = z.infer<typeof Refusal>;

/** What is refused by the rules of files, and by which a person may change that. */
export type RefusedFile = Pick<Refusal, 'path' | 'use' | 'project'>;

/** The refusal of a file that an entry of the allow-list would open. */
export class FileRefused extends HarborError {
  readonly file: RefusedFile;

  constructor(code: ErrorCode, message: string, file: RefusedFile, notes: readonly string[] = []) {
    super(code, message, notes);
    this.file = file;
  }

  override saying(message: string, notes: readonly string[]): FileRefused {
    return new FileRefused(this.code, message, this.file, notes);
  }
}

/** Each has a `key` that stays the same for as long as it waits. */
export const Need = z.discriminatedUnion('kind', [
  /** A call waits for a person's word: its tool, and what it wants where that does not say so. */
  z.object({
    kind: z.literal('approval'),
    key: z.string(),
    id: z.number().int(),
    client: z.string(),
    tool: z.string(),
    wish: Wish.optional(),
    at: z.number(),
  }),
  /** An error is held in the debugger. */
  z.object({
    kind: z.literal('held'),
    key: z.string(),
    session: z.string(),
    name: z.string(),
    client: z.string(),
    evaluation: z.number().int(),
    condition: z.string(),
    message: z.string(),
    restarts: z.array(z.string()),
    at: z.number(),
  }),
  z.object({ kind: z.literal('refused'), key: z.string(), refusal: Refusal, at: z.number() }),
  /** An image has filled most of what it may. */
  z.object({
    kind: z.literal('full'),
    key: z.string(),
    session: z.string(),
    name: z.string(),
    bytes: z.number(),
    limitBytes: z.number(),
    at: z.number(),
  }),
  /** A program has dropped our entry from its configuration. */
  z.object({
    kind: z.literal('dropped'),
    key: z.string(),
    program: z.string(),
    title: z.string(),
    file: z.string(),
    at: z.number(),
  }),
]);
export type Need = z.infer<typeof Need>;
export type NeedKind = Need['kind'];

/** The last call of a client: what it does now, or did last. */
export const LastCall = z.object({
  client: z.string(),
  tool: z.string(),
  /** What it was asked for, in a line: the code, a path, a query. */
  about: z.string(),
  startedAt: z.number(),
  /** null while it goes on. */
  endedAt: z.number().nullable(),
  failed: z.boolean(),
});
export type LastCall = z.infer<typeof LastCall>;

/** The oldest need first, the client first that called last. */
export const NeedsView = z.object({ needs: z.array(Need), calls: z.array(LastCall) });
export type NeedsView = z.infer<typeof NeedsView>;
