/** Values that code has given to Clojure's `tap>`, as its image keeps the latest of them. */
import { z } from 'zod';

/** `at` in milliseconds since the epoch, `text` the beginning of what it prints as. */
export const Tap = z.object({
  number: z.int(),
  at: z.number(),
  type: z.string(),
  text: z.string(),
  object: z.int(),
});
export type Tap = z.infer<typeof Tap>;

/** As the window shows it; `handle` is its value for an inspector. */
export const TapView = Tap.omit({ object: true }).extend({ handle: z.string() });
export type TapView = z.infer<typeof TapView>;
