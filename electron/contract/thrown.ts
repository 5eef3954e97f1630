/** What a failed evaluation has thrown, while its image has it: each exception of the chain with its data and its stack. */
import { z } from 'zod';
import { ListedFrame } from './debugger';
import { Frame } from './model';

/** An entry of an exception's data; `index` is its number among the parts of that, as an inspector counts them. */
const Datum = z.object({ index: z.int(), name: z.string(), text: z.string() });

/** One exception. `entries` counts its data, of which the first are here; `more` the frames that are not. Frames keep their numbers in
 * the whole stack, in which some may be left out. */
export const Thrown = z.object({
  object: z.int(),
  type: z.string(),
  message: z.string().optional(),
  data: z.array(Datum),
  entries: z.int(),
  frames: z.array(Frame.omit({ locals: true })),
  more: z.int(),
});
export type Thrown = z.infer<typeof Thrown>;

/** A frame of the exception number `cause` of the chain, the outermost being 0. */
export const ThrownAt = z.object({ cause: z.int().min(0), frame: z.int().min(0) });
export type ThrownAt = z.infer<typeof ThrownAt>;

/** The line that runs in a frame: of an evaluation, or of a file. Of a file there may be the `text` from line `start` on, at which a
 * top-level form begins. */
export const ThrownPlace = z.object({
  line: z.int(),
  evaluation: z.int().optional(),
  file: z.string().optional(),
  start: z.int().optional(),
  text: z.string().optional(),
});
export type ThrownPlace = z.infer<typeof ThrownPlace>;

/** An exception as the window shows it; `handle` is its value for an inspector. */
export const ThrownView = Thrown.omit({ object: true, frames: true }).extend({
  handle: z.string(),
  frames: z.array(ListedFrame),
});
export type ThrownView = z.infer<typeof ThrownView>;
