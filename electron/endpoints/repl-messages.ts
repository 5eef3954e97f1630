/** What goes over the local socket between `lisp-harbor repl` and the harbor, after the hello: lines of JSON, both ways. */
import { z } from 'zod';

/** `end` says that no more lines will come: the harbor closes the connection once it has answered those that came. */
export const FromRepl = z.union([
  z.object({ line: z.string() }),
  z.object({ interrupt: z.literal(true) }),
  z.object({ end: z.literal(true) }),
]);
export type FromRepl = z.infer<typeof FromRepl>;

export const ToRepl = z.object({ output: z.string() });
export type ToRepl = z.infer<typeof ToRepl>;
