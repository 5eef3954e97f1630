/**
 * Debugger data of a suspended session: levels, restarts, stack frames, and the exceptions of a failed
 * evaluation.
 */
import { z } from 'zod';
import { Frame, Local, Restart } from './model';

/**
 * A suspended evaluation. `level` counts from 1, `evaluation` is its history row, `object` identifies the
 * condition for an inspector.
 */
const SuspendedLevel = z.object({
  level: z.number().int(),
  evaluation: z.number().int(),
  type: z.string(),
  message: z.string(),
  object: z.int().optional(),
});

/**
 * State of the debugger. `levels` are innermost first. `restarts` belong to the innermost level and include
 * those of outer levels. `frames` is a page of the whole stack and `total` its length: frames of an outer
 * level follow those of an inner one.
 */
export const DebuggerView = z.object({
  levels: z.array(SuspendedLevel),
  restarts: z.array(Restart),
  frames: z.array(Frame),
  total: z.number().int(),
});
export type DebuggerView = z.infer<typeof DebuggerView>;

/**
 * Source of a frame. `form` is the running form as text, `number` its index among the lists of the
 * definition, as the compiler counts. For a file, `text` is the definition, which starts at `line`; for
 * evaluated code, the history row and the character offset of the top-level form.
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
 * One frame. `catches` are its catch tags; `restarts` are the operations on the frame: `RETURN-FROM-FRAME`
 * with values, `RESTART-FRAME`.
 */
export const FrameContents = Frame.extend({
  locals: z.array(Local),
  /** Number of locals that are not listed; absent for none. */
  omitted: z.int().optional(),
  source: FrameSource,
  catches: z.array(z.string()),
  restarts: z.array(z.string()),
});
export type FrameContents = z.infer<typeof FrameContents>;

/** Step mode: into the call, over it, or out of the function that makes it. */
export const StepMode = z.enum(['into', 'over', 'out']);
export type StepMode = z.infer<typeof StepMode>;

/**
 * Result of a restart: the evaluation that continues or ends. Absent if the restart returned and the level is
 * still suspended.
 */
export const RestartResult = z.object({ evaluation: z.number().int().optional() });
export type RestartResult = z.infer<typeof RestartResult>;

/**
 * Source text of a frame in three parts: the running form, null if unknown, and the text before and after it.
 */
export const ShownSource = z.object({
  before: z.string(),
  running: z.string().nullable(),
  after: z.string(),
  /** First line of the text, counted from 1. */
  line: z.int(),
  file: z.string().nullable(),
  evaluation: z.int().nullable(),
});
export type ShownSource = z.infer<typeof ShownSource>;

/** A frame in a list. `inner`: it belongs to the engine or its loader. */
export const ListedFrame = Frame.extend({ inner: z.boolean() });
export type ListedFrame = z.infer<typeof ListedFrame>;

/**
 * The debugger as the window shows it. `client` of a level requested the suspended evaluation; `handle`
 * refers to the condition for an inspector.
 */
export const SuspendedView = z.object({
  levels: z.array(
    SuspendedLevel.omit({ object: true }).extend({ client: z.string(), handle: z.string().optional() }),
  ),
  restarts: z.array(Restart),
  frames: z.array(ListedFrame),
  total: z.number().int(),
});
export type SuspendedView = z.infer<typeof SuspendedView>;

/** A frame as the window shows it. Locals that can be inspected have handles. */
export const FrameView = z.object({
  locals: z.array(z.object({ name: z.string(), value: z.string(), handle: z.string().optional() })),
  omitted: z.int().optional(),
  /** The running form, if its source text is not available. */
  form: z.string().nullable(),
  source: ShownSource.nullable(),
  catches: z.array(z.string()),
  restarts: z.array(z.string()),
});
export type FrameView = z.infer<typeof FrameView>;

/** The innermost level that the user sees while choosing. */
export const SuspendedAt = z.object({ evaluation: z.int(), level: z.int().min(1) });
export type SuspendedAt = z.infer<typeof SuspendedAt>;

/** The last evaluation of a session that ended with an error. Its stack no longer exists. */
export const FailureView = z.object({
  evaluation: z.int(),
  client: z.string(),
  code: z.string(),
  startedAt: z.number(),
  type: z.string(),
  message: z.string(),
  frames: z.array(ListedFrame),
  /** Number of frames that are not listed. */
  omitted: z.int(),
});
export type FailureView = z.infer<typeof FailureView>;

/** An entry of an exception's data. `index` is its index among the parts of that data, as in an inspector. */
const Datum = z.object({ index: z.int(), name: z.string(), text: z.string() });

/**
 * One exception. `entries` counts its data, of which the first are included; `more` counts the frames that
 * are not included. Frames keep their index in the whole stack, in which some may be omitted.
 */
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

/** A frame of exception `cause` in the chain; the outermost is 0. */
export const ThrownAt = z.object({ cause: z.int().min(0), frame: z.int().min(0) });
export type ThrownAt = z.infer<typeof ThrownAt>;

/**
 * The current line of a frame, in an evaluation or in a file. For a file, `text` may contain its lines from
 * `start`, where a top-level form starts.
 */
export const ThrownPlace = z.object({
  line: z.int(),
  evaluation: z.int().optional(),
  file: z.string().optional(),
  start: z.int().optional(),
  text: z.string().optional(),
});
export type ThrownPlace = z.infer<typeof ThrownPlace>;

/** An exception as the window shows it. `handle` refers to its value for an inspector. */
export const ThrownView = Thrown.omit({ object: true, frames: true }).extend({
  handle: z.string(),
  frames: z.array(ListedFrame),
});
export type ThrownView = z.infer<typeof ThrownView>;
