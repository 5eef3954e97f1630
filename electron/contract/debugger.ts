/** What a debugger tells of a held session: its levels, its restarts, its stack, and one frame of it in full. */
import { z } from 'zod';
import { Frame, Local, Restart } from './model';

/** An evaluation that is held; `level` counts from 1, `evaluation` is its row in the history, `object` the number by which an
 * inspector knows the condition. */
export const HeldLevel = z.object({
  level: z.number().int(),
  evaluation: z.number().int(),
  type: z.string(),
  message: z.string(),
  object: z.int().optional(),
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
 * Where the code of a frame was written. `form` is what runs there, as text, `number` its place among the lists of its
 * definition, as the compiler counts. Of a file there is the `text` of the definition, which begins at `line`; of what
 * was evaluated, the row of the history and the character of its code at which the top-level form begins.
 */
export const FrameSource = z.object({
  file: z.string().nullable(),
  form: z.string().nullable(),
  number: z.int().optional(),
  line: z.int().optional(),
  text: z.string().optional(),
  evaluation: z.int().optional(),
  position: z.int().optional(),
});
export type FrameSource = z.infer<typeof FrameSource>;

/**
 * One frame. `catches` are the tags it catches; `restarts` are what can be done to the frame itself: `RETURN-FROM-FRAME`
 * with values, `RESTART-FRAME`.
 */
export const FrameContents = Frame.extend({
  locals: z.array(Local),
  /** Locals that are not listed; absent for none. */
  omitted: z.int().optional(),
  source: FrameSource,
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

/** The text that a frame runs in, for people, in three parts: the form that runs, null where it cannot be told, and what stands
 * before and behind it. */
export const ShownSource = z.object({
  before: z.string(),
  running: z.string().nullable(),
  after: z.string(),
  /** The line at which the text begins, counted from 1. */
  line: z.int(),
  file: z.string().nullable(),
  evaluation: z.int().nullable(),
});
export type ShownSource = z.infer<typeof ShownSource>;

/** A frame in a list. `inner`: the engine's own, or its loader's. */
export const ListedFrame = Frame.extend({ inner: z.boolean() });
export type ListedFrame = z.infer<typeof ListedFrame>;

/** The debugger as the window shows it; `client` of a level is who asked for the evaluation that is held there, `handle` the
 * condition for an inspector. */
export const HeldView = z.object({
  levels: z.array(
    HeldLevel.omit({ object: true }).extend({ client: z.string(), handle: z.string().optional() }),
  ),
  restarts: z.array(Restart),
  frames: z.array(ListedFrame),
  total: z.number().int(),
});
export type HeldView = z.infer<typeof HeldView>;

/** A frame as the window shows it; locals that can be looked into have handles, as an inspector takes them. */
export const FrameView = z.object({
  locals: z.array(z.object({ name: z.string(), value: z.string(), handle: z.string().optional() })),
  omitted: z.int().optional(),
  /** What runs, where no text of it can be shown. */
  form: z.string().nullable(),
  source: ShownSource.nullable(),
  catches: z.array(z.string()),
  restarts: z.array(z.string()),
});
export type FrameView = z.infer<typeof FrameView>;

/** What a person looks at while they choose: the innermost level, as it was shown. */
export const HeldAt = z.object({ evaluation: z.int(), level: z.int().min(1) });
export type HeldAt = z.infer<typeof HeldAt>;

/** The last evaluation of a session that an error ended: nothing is held of it any more. */
export const FailureView = z.object({
  evaluation: z.int(),
  client: z.string(),
  code: z.string(),
  startedAt: z.number(),
  type: z.string(),
  message: z.string(),
  frames: z.array(ListedFrame),
  /** Frames that were not told; 0 for none. */
  omitted: z.int(),
});
export type FailureView = z.infer<typeof FailureView>;
