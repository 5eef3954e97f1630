/** What a debugger tells of a held session: its levels, its restarts, its stack, and one frame of it in full. */
import { z } from 'zod';
import { Frame, Local, Restart } from './model';

/** An evaluation that is held; `level` counts from 1, `evaluation` is its row in the history. */
export const HeldLevel = z.object({
  level: z.number().int(),
  evaluation: z.number().int(),
  type: z.string(),
  message: z.string(),
});
export type HeldLevel = z.infer<typeof HeldLevel>;

/**
 * `levels` innermost first. `restarts` are those of the innermost one, which include the outer ones'. `frames` is a
 * page of the whole stack, `total` its length: the frames of an outer level follow those of an inner one.
 */
export const DebuggerView = z.object({
  levels: z.array(HeldLevel),
  restarts: z.array(Restart),
  frames: z.array(Frame),
  total: z.number().int(),
});
export type DebuggerView = z.infer<typeof DebuggerView>;

/**
 * One frame. `source.form` is what runs there, as text; `catches` are the tags it catches; `restarts` are what can be
 * done to the frame itself: `RETURN-FROM-FRAME` with values, `RESTART-FRAME`.
 */
export const FrameContents = Frame.extend({
  locals: z.array(Local),
  /** Locals that are not listed; absent for none. */
  omitted: z.int().optional(),
  source: z.object({ file: z.string().nullable(), form: z.string().nullable() }),
  catches: z.array(z.string()),
  restarts: z.array(z.string()),
});
export type FrameContents = z.infer<typeof FrameContents>;

/** How far a stepped form runs: into the call, over it, or out of the function that makes it. */
export const StepWay = z.enum(['into', 'over', 'out']);
export type StepWay = z.infer<typeof StepWay>;

/** What a restart does: which evaluation goes on, or ends. None when the restart came back and the level is held as before. */
export const Departure = z.object({ evaluation: z.number().int().optional() });
export type Departure = z.infer<typeof Departure>;
