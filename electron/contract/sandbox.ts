/**
 * The allow-list: folders that sessions may read and write, as the file tools and the OS sandbox enforce it
 * and the window shows it.
 */
import { z } from 'zod';
import { SandboxReport, SessionId } from './model';

/**
 * `write`: images and file tools read and write. `read`: both read. `library`: images read all of it, file
 * tools only loaded systems.
 */
export const AllowAccess = z.enum(['write', 'read', 'library']);
export type AllowAccess = z.infer<typeof AllowAccess>;

/** An entry that the user added. */
export const AllowEntry = z.object({
  /** Absolute path of a folder or a file. */
  folder: z.string().min(1).max(4096),
  power: AllowAccess,
  reason: z.string().max(1000).default(''),
  /** `window`, or `settings` for an entry written into the file. */
  addedBy: z.string().max(200).default('settings'),
  /** Milliseconds since the epoch; null if unknown. */
  addedAt: z.number().int().nonnegative().nullable().default(null),
  /** The project that it applies to, including subfolders; null for every project. */
  project: z.string().min(1).nullable().default(null),
});
export type AllowEntry = z.infer<typeof AllowEntry>;

/** An active entry. Default entries are not in the settings file. */
export const AllowRow = AllowEntry.extend({ isDefault: z.boolean() });
export type AllowRow = z.infer<typeof AllowRow>;

/** A path that is denied even in an allowed folder, unless an entry names it or a path in it. */
export const Secret = z.object({
  path: z.string(),
  /** Its content, such as "SSH keys". */
  holds: z.string(),
  /** No entry can allow it, because it controls what is allowed. */
  isSealed: z.boolean(),
});
export type Secret = z.infer<typeof Secret>;

export const SandboxView = z.object({
  report: SandboxReport,
  /** The project of the rows. */
  project: z.string(),
  /** Whether images of the project may use the network. */
  network: z.boolean(),
  /** Entries of the project and of all projects; `problem` says why one is inactive. */
  rows: z.array(AllowRow.extend({ problem: z.string().nullable() })),
  /** Existing secret paths. */
  secrets: z.array(Secret),
  /** Sessions whose image has other rules than a new image would have. */
  outdated: z.array(SessionId),
});
export type SandboxView = z.infer<typeof SandboxView>;

/** Asks whether the rules allow a file access, without making it. */
export const FileAccessQuery = z.object({
  path: z.string().min(1).max(4096),
  use: z.enum(['read', 'write']),
});
export type FileAccessQuery = z.infer<typeof FileAccessQuery>;

/** `why` names the deciding rule in one sentence. */
export const AccessVerdict = z.object({ answer: z.enum(['allow', 'ask', 'deny']), why: z.string() });
export type AccessVerdict = z.infer<typeof AccessVerdict>;

export const NewAllowEntry = z.object({
  folder: z.string().min(1).max(4096),
  power: AllowAccess,
  reason: z.string().max(1000),
  /** Applies only to the shown or named project, and its subfolders. */
  forProject: z.boolean(),
  project: z.string().min(1).max(4096).optional(),
  /** Whether it is saved for the next start. */
  lasting: z.boolean().default(true),
});
export type NewAllowEntry = z.infer<typeof NewAllowEntry>;
