/** Calls of the window about what a session’s image is asked, and what it was changed by: debugger, inspector, names, changes, log. */
import { z } from 'zod';
import { ChangesSince, ChangesView, DefinitionInFile } from '../changes';
import { FailureView, FrameView, HeldAt, HeldView, ShownSource, StepWay } from '../debugger';
import { InspectFrom, InspectionView, Numbers, Octets, PathStep, Records } from '../inspection';
import { Findings, SymbolDescription } from '../knowledge';
import { HarborLog, LogLine } from '../log';
import { Evaluation } from '../model';
import { TapView } from '../taps';
import { ThrownAt, ThrownView } from '../thrown';
import { bySession, type CallTable, nothing } from './parameters';

const atHeld = bySession.extend({ held: HeldAt });
/** Which evaluation goes on, or ends; null where the restart came back and the level is held as before. */
const goneOn = z.object({ evaluation: z.int().nullable() });
/** A value in the session's image, or what a path leads to from there. */
const valueAt = bySession.extend({ handle: z.string().max(40), path: z.array(PathStep).max(100) });
const pageOfValue = valueAt.extend({ offset: z.int().min(0), limit: z.int().min(0).max(4096) });

export const imageCalls = {
  /** What the session is held at, and a page of its stack. Of each of these: @throws HarborError `not_held`, which is said also of a
   * level that `held` names and that somebody else has left; `not_supported`, `image_lost`, `bad_arguments`; of what makes it go on
   * `paused` and `not_approved` as well. */
  'debugger:show': {
    args: bySession.extend({ offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    result: HeldView,
  },
  'debugger:frame': { args: bySession.extend({ frame: z.int().min(0) }), result: FrameView },
  /** Evaluates among the locals of a frame; answers the row when it has ended, which errors are reported in and not held. */
  'debugger:evaluate': {
    args: atHeld.extend({ frame: z.int().min(0), code: z.string().min(1).max(1_000_000) }),
    result: Evaluation,
  },
  /** A restart by index or name, its arguments as forms; those of a frame itself are `RETURN-FROM-FRAME`, `RESTART-FRAME`. */
  'debugger:restart': {
    args: atHeld.extend({
      restart: z.union([z.int().min(0), z.string().min(1).max(500)]),
      arguments: z.array(z.string().max(1_000_000)).max(50),
      frame: z.int().min(0).optional(),
    }),
    result: goneOn,
  },
  'debugger:step': { args: atHeld.extend({ way: StepWay }), result: goneOn },
  /** Gives up what is held inside `level`; 0 is the top level. */
  'debugger:abort': { args: atHeld.extend({ level: z.int().min(0) }), result: goneOn },
  /** The last evaluation of the session that an error ended; null for none. */
  'debugger:failure': { args: bySession, result: FailureView.nullable() },
  /** What that evaluation has thrown, the outermost exception first; none where its engine keeps none, or another has failed since. Of both:
   * @throws HarborError `image_lost`, `took_too_long`, `query_failed` */
  'debugger:thrown': {
    args: bySession.extend({ evaluation: z.int() }),
    result: z.array(ThrownView),
  },
  /** The text that one of its frames stands in, with the line that runs there; null where none is known.
   * @throws HarborError `not_supported`, `unknown_handle` */
  'debugger:thrown-source': {
    args: bySession.extend({ evaluation: z.int(), at: ThrownAt }),
    result: ShownSource.nullable(),
  },
  /** What code has given to tap>, the newest first. Of both:
   * @throws HarborError `not_supported`, `image_lost`, `took_too_long`, `query_failed` */
  'taps:read': { args: bySession, result: z.array(TapView) },
  'taps:forget': { args: bySession, result: nothing },
  /** Evaluates the code of a row once more, to be held where it fails, or stepped through from its first call on; answers the
   * row when it is open. @throws HarborError `not_supported`, `unknown_evaluation`; `bad_arguments` to step several forms */
  'debugger:again': {
    args: bySession.extend({ evaluation: z.int(), step: z.boolean() }),
    result: z.object({ evaluation: z.int() }),
  },
  /** Where an inspector begins: the handle of the value and how it prints. Code is evaluated for it, on record; `problem` says why it has no value
   * to look at. Of each of these: @throws HarborError `not_supported`, `unknown_handle` for one of an image that is gone,
   * `unknown_part`, `took_too_long`, `query_failed`, `image_lost` */
  'inspector:begin': {
    args: bySession.extend({ from: InspectFrom }),
    result: z.union([z.object({ handle: z.string(), text: z.string() }), z.object({ problem: z.string() })]),
  },
  /** The object that `path` leads to, with a page of its parts. */
  'inspector:look': { args: pageOfValue, result: InspectionView },
  /** Parts whose name or printed value has the text in it, of at most 20,000 from `offset` on; `next` is where to go on. */
  'inspector:search': {
    args: valueAt.extend({ text: z.string().min(1).max(500), offset: z.int().min(0) }),
    result: z.object({ parts: InspectionView.shape.parts, next: z.int().nullable() }),
  },
  /** Other views of the object, null where its engine has none such: a page of its parts as records, its numbers, its octets.
   * @throws HarborError `unknown_part` where it is nothing of the kind */
  'inspector:records': { args: pageOfValue, result: Records.nullable() },
  'inspector:numbers': { args: valueAt, result: Numbers.nullable() },
  'inspector:octets': { args: pageOfValue, result: Octets.nullable() },
  /** What a name stands for in the session's image, and names that have to do with it. Nothing is evaluated.
   * @throws HarborError `not_supported`, `unknown_symbol` with names that are near, `busy`, `took_too_long`, `query_failed`,
   * `image_lost` */
  'browse:describe': {
    args: bySession.extend({ name: z.string().min(1).max(500) }),
    result: SymbolDescription,
  },
  'browse:find': {
    args: bySession.extend({
      kind: z.enum(['callers', 'references', 'apropos']),
      name: z.string().min(1).max(500),
      limit: z.int().min(1).max(1_000),
    }),
    result: Findings,
  },
  /** Puts the value of an expression into the part at `path`, by an evaluation that the history has; `problem` says why that
   * failed. */
  'inspector:set': {
    args: bySession.extend({
      handle: z.string().max(40),
      path: z.array(PathStep).min(1).max(100),
      expression: z.string().min(1).max(1_000_000),
    }),
    result: z.object({ evaluation: z.int(), problem: z.string().nullable() }),
  },
  /** What the session has done since a moment. Of each of these: @throws HarborError `busy` by engines that cannot tell while
   * they evaluate, `image_lost`, `took_too_long`, `unknown_checkpoint` for one that is not the session's any more */
  'changes:view': { args: bySession.extend({ since: ChangesSince }), result: ChangesView },
  /** What a file defines, as it is now. @throws HarborError as `read_file` does */
  'changes:inFile': { args: bySession.extend({ path: z.string() }), result: z.array(DefinitionInFile) },
  /** Writes definitions, as they were evaluated, into a file of the project, in the place of their old forms where it has such;
   * answers its path. @throws HarborError as `write_file` does */
  'changes:write': {
    args: bySession.extend({ path: z.string().min(1).max(4096), definitions: z.array(z.string()).min(1) }),
    result: z.object({ path: z.string() }),
  },
  /** Evaluates what makes a definition what it was at that moment; `problem` says why that failed. */
  'changes:revert': {
    args: bySession.extend({ since: ChangesSince, key: z.string() }),
    result: z.object({ evaluation: z.int(), problem: z.string().nullable() }),
  },
  /** Writes what a file held before the write `kept`, or for null takes the file away, which was not there; unless it is another one now than `hash` says.
   * @throws HarborError `hash_mismatch`, `file_missing`, and as writing files does */
  'changes:revertFile': {
    args: bySession.extend({ path: z.string().min(1).max(4096), kept: z.int().nullable(), hash: z.string() }),
    result: nothing,
  },
  /** What became of the session's images since the harbor was started, oldest first. */
  'log:session': { args: bySession, result: z.array(LogLine) },
  'log:read': { args: nothing, result: HarborLog },
  /** Shows the folder of the log in the system's file manager. @throws HarborError `internal` with why it was not shown */
  'log:openFolder': { args: nothing, result: nothing },
} satisfies CallTable;
