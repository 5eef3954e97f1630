/** What a listener shows beside its text, as zod schemas: what it takes next, and what was typed and has not been read. */
import { z } from 'zod';

/** What is typed next is taken for: a form, the rest of one that was begun, the value that a restart asked for, or a line
 * that code reads. */
export const Expected = z.enum(['form', 'rest of a form', 'value', 'line']);
export type Expected = z.infer<typeof Expected>;

/** `typed` waits to be read, oldest first. `evaluation` is its own that runs, waits for its turn, or is held. */
export const ListenerView = z.object({
  prompt: z.string(),
  level: z.number().int(),
  expects: Expected,
  typed: z.array(z.string()),
  evaluation: z.number().int().nullable(),
});
export type ListenerView = z.infer<typeof ListenerView>;

/**
 * What Ctrl+C came to: all that was typed and not begun is given back as `text`, in its order, parted by newlines; what runs of
 * its own is interrupted.
 */
export const TakenBack = z.object({
  took: z.enum(['typed', 'waiting', 'running', 'nothing']),
  text: z.string().nullable(),
});
export type TakenBack = z.infer<typeof TakenBack>;
