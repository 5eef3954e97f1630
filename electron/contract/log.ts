/** What the harbor and its sessions tell of themselves, a sentence each. */
import { z } from 'zod';

export const LogLevel = z.enum(['debug', 'info', 'warn', 'error']);
export type LogLevel = z.infer<typeof LogLevel>;

/** `at` is milliseconds since the epoch. */
export const LogLine = z.object({ at: z.number(), level: LogLevel, text: z.string() });
export type LogLine = z.infer<typeof LogLine>;

/** The newest lines of the harbor's log, oldest first; `whole` is false where there are more. */
export const HarborLog = z.object({ folder: z.string(), lines: z.array(LogLine), whole: z.boolean() });
export type HarborLog = z.infer<typeof HarborLog>;
