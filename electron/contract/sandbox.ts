/** What the window shows and changes of the allow-list and the sandbox. */
import { z } from 'zod';
import { AllowPower, AllowRow, Secret } from './allow-list';
import { SandboxReport, SessionId } from './model';

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

export const NewAllowEntry = z.object({
  folder: z.string().min(1).max(4096),
  power: AllowPower,
  reason: z.string().max(1000),
  /** Only for the project that is shown, and what lies below it. */
  forProject: z.boolean(),
});
export type NewAllowEntry = z.infer<typeof NewAllowEntry>;
