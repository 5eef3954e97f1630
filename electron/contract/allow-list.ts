/** The allow-list: which folders may be read and written, with the reason of each, and what the window shows and changes of it. The file tools and the OS sandbox follow it. */
import { z } from 'zod';
import { SandboxReport, SessionId } from './model';

/**
 * `write`: images and the file tools read and write. `read`: both read. `library`: images read all of it, the file
 * tools only the systems that are loaded.
 */
export const AllowPower = z.enum(['write', 'read', 'library']);
export type AllowPower = z.infer<typeof AllowPower>;

/** An entry that a person added. */
export const AllowEntry = z.object({
  /** Absolute; a folder, or one file. */
  folder: z.string().min(1).max(4096),
  power: AllowPower,
  reason: z.string().max(1000).default(''),
  /** Who added it: `window`, or `settings` for an entry that somebody wrote into the file. */
  addedBy: z.string().max(200).default('settings'),
  /** Milliseconds since the epoch; null when nobody noted it. */
  addedAt: z.number().int().nonnegative().nullable().default(null),
  /** The project it holds for, and what lies below that; null for every project. */
  project: z.string().min(1).nullable().default(null),
});
export type AllowEntry = z.infer<typeof AllowEntry>;

/** An entry as it is in force: defaults are nobody's, and are there without the settings file. */
export const AllowRow = AllowEntry.extend({ isDefault: z.boolean() });
export type AllowRow = z.infer<typeof AllowRow>;

/** A place that is refused inside an allowed folder too, unless an entry names it or something in it. */
export const Secret = z.object({
  path: z.string(),
  /** What is kept there, as people call it: "SSH keys". */
  holds: z.string(),
  /** Not even an entry opens it: what is here decides what is allowed. */
  isSealed: z.boolean(),
});
export type Secret = z.infer<typeof Secret>;

export const SandboxView = z.object({
  report: SandboxReport,
  /** The project that the rows are shown for. */
  project: z.string(),
  /** Whether its images may open network connections. */
  network: z.boolean(),
  /** Those for the project and those for all; `problem` says why one is not in force. */
  rows: z.array(AllowRow.extend({ problem: z.string().nullable() })),
  /** Those that are there. */
  secrets: z.array(Secret),
  /** Sessions whose images are confined to something else than a new one would be. */
  outdated: z.array(SessionId),
});
export type SandboxView = z.infer<typeof SandboxView>;

/** What is asked without being done: may this file be read or written, by the rules as they are? */
export const FileQuestion = z.object({ path: z.string().min(1).max(4096), use: z.enum(['read', 'write']) });
export type FileQuestion = z.infer<typeof FileQuestion>;

/** `why` names the rule that decides, in a sentence. */
export const Verdict = z.object({ answer: z.enum(['allow', 'ask', 'deny']), why: z.string() });
export type Verdict = z.infer<typeof Verdict>;

export const NewAllowEntry = z.object({
  folder: z.string().min(1).max(4096),
  power: AllowPower,
  reason: z.string().max(1000),
  /** Only for the project that is shown, or named here, and what lies below it. */
  forProject: z.boolean(),
  project: z.string().min(1).max(4096).optional(),
  /** Whether it is there at the next start as well. */
  lasting: z.boolean().default(true),
});
export type NewAllowEntry = z.infer<typeof NewAllowEntry>;
