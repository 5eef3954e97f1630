/** Books of a project that are certified together: what each includes, and what has become of it. */
import { z } from 'zod';

/**
 * `waiting`: for what it includes, or for a process. `at-work`: a process certifies it. `unchanged`: its certificate still holds.
 * `interrupted` while a process had it; `left`: no process has had it, because of a book below it or of an interrupt.
 */
export const BookState = z.enum([
  'waiting',
  'at-work',
  'certified',
  'unchanged',
  'failed',
  'interrupted',
  'left',
]);
export type BookState = z.infer<typeof BookState>;

export const BookReport = z.object({
  /** Its name in the project, without `.lisp`. */
  book: z.string(),
  /** Books right below it: those of the project that it includes, without what comes by way of another of them. */
  includes: z.array(z.string()),
  state: BookState,
  /** When a process began with it, and for how long it had it; absent where none did, or has not ended. */
  startedAt: z.number().optional(),
  durationMs: z.number().optional(),
  /** Why it failed, in a line; of one that was left, the book because of which. */
  because: z.string().optional(),
  /** While it is at work, the goal that the prover has named last. */
  goal: z.string().optional(),
  /** The end of what was printed of one that failed or was interrupted. */
  log: z.string().optional(),
});
export type BookReport = z.infer<typeof BookReport>;

/** `book` is the file without its extension; `certificate` is the file that ACL2 wrote, null where it did not. */
export const Certification = z.object({
  book: z.string(),
  certificate: z.string().nullable(),
  /** All that were certified with it, each after those that it includes. */
  books: z.array(BookReport).optional(),
});
export type Certification = z.infer<typeof Certification>;
