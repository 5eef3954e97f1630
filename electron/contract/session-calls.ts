/**
 * Window calls about sessions: their life, checkpoints, worlds, ports, listeners, debugger, inspector and
 * changes.
 */
import { z } from 'zod';
import { ChangesSince, ChangesView, CheckpointName, CheckpointView, DefinitionInFile } from './changes';
import {
  FailureView,
  FrameView,
  ShownSource,
  StepMode,
  SuspendedAt,
  SuspendedView,
  ThrownAt,
  ThrownView,
} from './debugger';
import { EditorPortView, EditorProtocol, HarborLog, LogLine } from './harbor-status';
import { InspectFrom, InspectionView, Numbers, Octets, PathStep, Records, TapView } from './inspection';
import { Completion, Findings, PackageName, SymbolDescription } from './knowledge';
import {
  CancelledInput,
  EngineName,
  Evaluation,
  ListenerView,
  Memory,
  Outcome,
  SessionId,
  SessionView,
} from './model';
import { BuiltProof, ProofProgress, TrustTag } from './proof';
import { Container, ServerAddress } from './server';
import { ProjectTests, RecordedRun, TestChoice, TestsSoFar } from './tests';
import { Trace } from './trace';
import { LostCommand, WorldCommands } from './world';

export const nothing = z.null();
export const bySession = z.object({ session: SessionId });
const ofEditor = bySession.extend({ protocol: EditorProtocol });
export const byId = z.object({ id: z.number().int() });
export const byName = z.object({ name: z.string().min(1).max(64) });

/** Calls of the window by name: schemas of the arguments and of the result. */
export type CallTable = Record<`${string}:${string}`, { args: z.ZodType; result: z.ZodType }>;

/** Window calls that manage sessions, checkpoints, worlds and ports. */
export const sessionCalls = {
  'sessions:list': { args: nothing, result: z.array(SessionView) },
  'sessions:open': {
    args: z.object({ engine: EngineName.optional(), name: z.string().max(80).optional() }),
    result: SessionView,
  },
  /**
   * Adds a server to the settings, so that agents may attach to it too, and opens a session there. A server
   * that does not answer is not added.
   * @throws HarborError `not_approved` for a server on another computer
   */
  'sessions:attach': { args: ServerAddress, result: SessionView },
  /**
   * Adds a container to the settings, so that agents may start it too, and opens a session there. A container
   * that does not start is not added.
   * @throws HarborError `engine_unavailable`, `engine_failed`
   */
  'sessions:container': { args: Container, result: SessionView },
  'sessions:close': { args: bySession, result: nothing },
  /**
   * Starts an image for a session that is asleep. Its state may still be loading.
   * @throws HarborError why no image could be started
   */
  'sessions:wake': { args: bySession, result: SessionView },
  'sessions:interrupt': { args: bySession, result: z.object({ interrupted: z.boolean() }) },
  /**
   * Stops one evaluation: a queued one never starts; a running one is interrupted step by step, and `byForce`
   * skips the steps that preserve the image. Resolves when it has ended; false if it had ended before.
   */
  'sessions:stop': {
    args: bySession.extend({ evaluation: z.number().int(), byForce: z.boolean() }),
    result: z.object({ stopped: z.boolean() }),
  },
  /**
   * Suspends a running evaluation in the debugger where it is.
   * @throws HarborError `not_supported`; `bad_arguments` if it does not run
   */
  'sessions:break': { args: bySession.extend({ evaluation: z.number().int() }), result: nothing },
  /**
   * Replaces the session's image and restores what can be restored. A running evaluation ends with the image.
   * @throws HarborError `image_lost`, `session_ended`, `paused`, `not_approved`
   */
  'sessions:restart': { args: bySession, result: nothing },
  /** Sets the user's name and note; '' for no note. */
  'sessions:name': {
    args: bySession.extend({ name: z.string().trim().min(1).max(80), note: z.string().max(2_000) }),
    result: nothing,
  },
  /** Completions of a prefix in a package; empty if the image does not answer in time. */
  'sessions:complete': {
    args: bySession.extend({ prefix: z.string().min(1).max(200), package: PackageName.optional() }),
    result: z.array(Completion),
  },
  /** Lambda list of an operator, such as `(subseq sequence start &optional end)`; null if unknown in time. */
  'sessions:arglist': {
    args: bySession.extend({ operator: z.string().min(1).max(200), package: PackageName.optional() }),
    result: z.object({ arglist: z.string().nullable() }),
  },
  /**
   * Suspends later evaluations at unhandled errors, unless the client requests otherwise.
   * @throws HarborError `not_supported`
   */
  'sessions:hold': { args: bySession.extend({ hold: z.boolean() }), result: nothing },
  /** Progress of the prover in an evaluation; null if unknown or not running. */
  'sessions:progress': {
    args: bySession.extend({ evaluation: z.number().int() }),
    result: ProofProgress.nullable(),
  },
  /**
   * Allows trust tags and raw Lisp for the life of the image. All later results have a note about it.
   * @throws HarborError `not_supported`
   */
  'sessions:allowRawLisp': { args: bySession, result: nothing },
  /**
   * Allows trust tags of certified system books in the session. Results that depend on one have a note.
   * @throws HarborError `not_supported`; `bad_arguments` for a name that no such book has
   */
  'sessions:allowTrustTags': { args: bySession.extend({ tags: z.array(TrustTag) }), result: nothing },
  /** Checkpoints of all clients, newest first. */
  'checkpoints:list': { args: nothing, result: z.array(CheckpointView) },
  /** @throws HarborError `busy`, `threads_running`, `checkpoint_failed`, `not_supported` */
  'checkpoints:save': { args: bySession.extend({ name: CheckpointName.optional() }), result: CheckpointView },
  /**
   * Saves the present state and restores a checkpoint. With `discard`, the present state and running
   * evaluations are lost. `savedAs` is the checkpoint with the state before; null if there was none. `lost`
   * counts commands that are no longer admitted.
   * `unsaved` says why the present state cannot be saved; then nothing has changed.
   * @throws HarborError `checkpoint_failed`, `image_lost`, `session_ended`
   */
  'checkpoints:restore': {
    args: bySession.extend({ id: z.number().int(), discard: z.boolean() }),
    result: z.union([
      z.object({ savedAs: CheckpointView.nullable(), lost: z.number().int() }),
      z.object({ unsaved: z.string() }),
    ]),
  },
  /** Opens a session of the user with that state. */
  'checkpoints:branch': { args: byId, result: SessionView },
  /** @throws HarborError `busy` while a session uses it */
  'checkpoints:drop': { args: byId, result: nothing },
  /** @throws HarborError `not_supported`, `image_lost`, `took_too_long` */
  'sessions:memory': { args: bySession, result: Memory },
  /**
   * Definitions that are in no file: the first ones by name, and their number. Empty if the image cannot
   * tell.
   */
  'sessions:unsaved': { args: bySession, result: Findings },
  /**
   * Shows the save dialog and writes the session's definitions; null if the user cancels.
   * @throws HarborError `not_supported`, `image_lost`, `file_not_allowed`
   */
  'sessions:export': {
    args: bySession,
    result: z.object({ file: z.string(), definitions: z.number().int() }).nullable(),
  },
  /** The same for the session's evaluations, as a Jupyter notebook. */
  'sessions:notebook': {
    args: bySession,
    result: z.object({ file: z.string(), evaluations: z.number().int() }).nullable(),
  },
  /**
   * The last commands of the logical world, at most `last`, oldest first.
   * @throws HarborError `not_supported`, `busy` while an evaluation runs, `query_failed`, `image_lost`
   */
  'world:commands': {
    args: bySession.extend({ last: z.number().int().min(1).max(100_000) }),
    result: WorldCommands,
  },
  /**
   * Undoes all commands after `command`, 0 for all. With `alone`, removes only that command and submits the
   * later ones again. `lost` has those that are no longer admitted, `problem` says why nothing was undone.
   * @throws HarborError `not_supported`, `image_lost`, `session_ended`, `data_folder_unusable`
   */
  'world:undo': {
    args: bySession.extend({ command: z.number().int(), alone: z.boolean() }),
    result: z.object({
      evaluation: z.number().int(),
      outcome: Outcome,
      problem: z.string().nullable(),
      lost: z.array(LostCommand),
    }),
  },
  /**
   * Starts the final check of a theorem, or of the whole session for null. The row has the report when it
   * ends.
   * @throws HarborError `not_supported`, `busy` while an evaluation runs, `unknown_symbol`, `query_failed`,
   *   `image_lost`
   */
  'world:check': {
    args: bySession.extend({ claim: z.string().max(500).nullable() }),
    result: z.object({ evaluation: z.number().int() }),
  },
  /**
   * Runs proof-builder instructions on a term, each one form, up to the first failure. The world does not
   * change.
   * @throws HarborError `bad_arguments`, `not_supported`, `image_lost`, `session_ended`
   */
  'world:build': {
    args: bySession.extend({
      term: z.string().max(100_000),
      instructions: z.array(z.string().max(10_000)).max(1_000),
    }),
    result: BuiltProof,
  },
  /**
   * Opens a port of the session for an editor, or returns the open one.
   * @throws HarborError `not_supported`, `slime_missing`, `query_failed`
   */
  'editor:open': { args: ofEditor, result: EditorPortView },
  /** Closes the port and ends the editor's threads; `threads` names those that continue. */
  'editor:close': { args: ofEditor, result: z.object({ threads: z.array(z.string()) }) },
  /** Joins the session's listener. `transcript` is its text so far, which ends with the prompt. */
  'listener:open': { args: bySession, result: z.object({ transcript: z.string(), view: ListenerView }) },
  /**
   * Submits one or more typed lines, without the final newline. `level` is the debugger level it was typed
   * for; absent: the level of the current prompt.
   */
  'listener:submit': {
    args: bySession.extend({ text: z.string().max(4_000_000), level: z.number().int().min(0).optional() }),
    result: nothing,
  },
  /**
   * Ctrl+C: returns typed text that has not started, or else interrupts the listener's evaluation, or else
   * discards an unfinished form. Evaluations of other clients are not affected.
   */
  'listener:takeBack': { args: bySession, result: CancelledInput },
} satisfies CallTable;

const atSuspendedLevel = bySession.extend({ suspendedAt: SuspendedAt });
/** The evaluation that continues or ends; null if the restart returned and the level is still suspended. */
const continuedAs = z.object({ evaluation: z.int().nullable() });
/** A value in the image, or the value at a path from there. */
const valueAt = bySession.extend({ handle: z.string().max(40), path: z.array(PathStep).max(100) });
const pageOfValue = valueAt.extend({ offset: z.int().min(0), limit: z.int().min(0).max(4096) });

export const imageCalls = {
  /**
   * The suspended level and a page of its stack. All debugger calls: @throws HarborError `not_held`, also for
   * a level that was continued elsewhere; `not_supported`, `image_lost`, `bad_arguments`; calls that
   * continue: also `paused` and `not_approved`
   */
  'debugger:show': {
    args: bySession.extend({ offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    result: SuspendedView,
  },
  'debugger:frame': { args: bySession.extend({ frame: z.int().min(0) }), result: FrameView },
  /**
   * Evaluates with the locals of a frame. Returns the row when it has ended; errors are reported, not
   * suspended.
   */
  'debugger:evaluate': {
    args: atSuspendedLevel.extend({ frame: z.int().min(0), code: z.string().min(1).max(1_000_000) }),
    result: Evaluation,
  },
  /**
   * Invokes a restart by index or name, with arguments as forms; frames have `RETURN-FROM-FRAME` and
   * `RESTART-FRAME`.
   */
  'debugger:restart': {
    args: atSuspendedLevel.extend({
      restart: z.union([z.int().min(0), z.string().min(1).max(500)]),
      arguments: z.array(z.string().max(1_000_000)).max(50),
      frame: z.int().min(0).optional(),
    }),
    result: continuedAs,
  },
  'debugger:step': { args: atSuspendedLevel.extend({ way: StepMode }), result: continuedAs },
  /** Aborts everything inside `level`; 0 is the top level. */
  'debugger:abort': { args: atSuspendedLevel.extend({ level: z.int().min(0) }), result: continuedAs },
  /** The last evaluation of the session that ended with an error; null for none. */
  'debugger:failure': { args: bySession, result: FailureView.nullable() },
  /**
   * The exceptions of that evaluation, outermost first; empty if the engine does not keep them, or another
   * evaluation has failed since. This and the next call:
   * @throws HarborError `image_lost`, `took_too_long`, `query_failed`
   */
  'debugger:thrown': {
    args: bySession.extend({ evaluation: z.int() }),
    result: z.array(ThrownView),
  },
  /**
   * Source text of one of its frames with the current line; null if unknown.
   * @throws HarborError `not_supported`, `unknown_handle`
   */
  'debugger:thrown-source': {
    args: bySession.extend({ evaluation: z.int(), at: ThrownAt }),
    result: ShownSource.nullable(),
  },
  /**
   * Values given to tap>, newest first. This and the next call:
   * @throws HarborError `not_supported`, `image_lost`, `took_too_long`, `query_failed`
   */
  'taps:read': { args: bySession, result: z.array(TapView) },
  'taps:forget': { args: bySession, result: nothing },
  /**
   * Evaluates the code of a row again: suspended where it fails, stepped from its first call, profiled, or with its
   * calls traced. Returns the row when it has started.
   * @throws HarborError `not_supported`, `unknown_evaluation`; `bad_arguments` for stepping several forms
   */
  'debugger:again': {
    args: bySession.extend({ evaluation: z.int(), how: z.enum(['debug', 'step', 'profile', 'trace']) }),
    result: z.object({ evaluation: z.int() }),
  },
  /**
   * The calls of a traced evaluation, also while it runs. This and the next call:
   * @throws HarborError `not_supported`, `unknown_evaluation` if the image no longer has them, `image_lost`,
   *   `took_too_long`, `query_failed`
   */
  'trace:read': { args: bySession.extend({ evaluation: z.int() }), result: Trace },
  /** A handle of the function, arguments and values of one call, counted from 0. */
  'trace:call': {
    args: bySession.extend({ evaluation: z.int(), place: z.int().min(0) }),
    result: z.object({ handle: z.string() }),
  },
  /**
   * Starts an inspection: returns the handle and the printed value. Code is evaluated and recorded; `problem`
   * says why there is no value. All inspector calls:
   * @throws HarborError `not_supported`, `unknown_handle` for an image that no longer exists, `unknown_part`,
   *   `took_too_long`, `query_failed`, `image_lost`
   */
  'inspector:begin': {
    args: bySession.extend({ from: InspectFrom }),
    result: z.union([z.object({ handle: z.string(), text: z.string() }), z.object({ problem: z.string() })]),
  },
  /** The object at `path`, with a page of its parts. */
  'inspector:look': { args: pageOfValue, result: InspectionView },
  /**
   * Parts whose name or printed value contains the text, among at most 20,000 from `offset`; `next` is where
   * to continue.
   */
  'inspector:search': {
    args: valueAt.extend({ text: z.string().min(1).max(500), offset: z.int().min(0) }),
    result: z.object({ parts: InspectionView.shape.parts, next: z.int().nullable() }),
  },
  /**
   * Other views of the object, null if not available: a page of its parts as records, its numbers, its
   * octets.
   * @throws HarborError `unknown_part` for an object of another kind
   */
  'inspector:records': { args: pageOfValue, result: Records.nullable() },
  'inspector:numbers': { args: valueAt, result: Numbers.nullable() },
  'inspector:octets': { args: pageOfValue, result: Octets.nullable() },
  /**
   * Definitions and related names of a name in the image. Evaluates nothing.
   * @throws HarborError `not_supported`, `unknown_symbol` with similar names, `busy`, `took_too_long`,
   *   `query_failed`, `image_lost`
   */
  'browse:describe': {
    args: bySession.extend({ name: z.string().min(1).max(500), package: PackageName.optional() }),
    result: SymbolDescription,
  },
  'browse:find': {
    args: bySession.extend({
      kind: z.enum(['callers', 'references', 'apropos']),
      name: z.string().min(1).max(500),
      package: PackageName.optional(),
      limit: z.int().min(1).max(1_000),
    }),
    result: Findings,
  },
  /**
   * Sets the part at `path` to the value of an expression, as a recorded evaluation; `problem` says why that
   * failed.
   */
  'inspector:set': {
    args: bySession.extend({
      handle: z.string().max(40),
      path: z.array(PathStep).min(1).max(100),
      expression: z.string().min(1).max(1_000_000),
    }),
    result: z.object({ evaluation: z.int(), problem: z.string().nullable() }),
  },
  /**
   * Changes of the session since a moment. All changes calls:
   * @throws HarborError `busy` for engines that cannot answer while they evaluate, `image_lost`,
   *   `took_too_long`, `unknown_checkpoint`
   */
  'changes:view': { args: bySession.extend({ since: ChangesSince }), result: ChangesView },
  /** Definitions in a file as it is now. @throws HarborError as the tool `read_file` */
  'changes:inFile': { args: bySession.extend({ path: z.string() }), result: z.array(DefinitionInFile) },
  /**
   * Writes evaluated definitions into a project file, replacing their old forms there; returns its path.
   * @throws HarborError as the tool `write_file`
   */
  'changes:write': {
    args: bySession.extend({
      path: z.string().min(1).max(4096),
      definitions: z.array(z.string()).min(1),
      /** Hash of a file with newer definitions that the user agreed to replace. */
      over: z.string().nullable(),
    }),
    result: z.object({ path: z.string() }),
  },
  /** Evaluates a definition as its file has it; `problem` says why that failed. */
  'changes:load': {
    args: bySession.extend({ since: ChangesSince, key: z.string() }),
    result: z.object({ evaluation: z.int(), problem: z.string().nullable() }),
  },
  /** Restores a definition as it was at that moment, by an evaluation; `problem` says why that failed. */
  'changes:revert': {
    args: bySession.extend({ since: ChangesSince, key: z.string() }),
    result: z.object({ evaluation: z.int(), problem: z.string().nullable() }),
  },
  /**
   * Restores the content of a file before the write `earlierContent`, or removes a file that did not exist
   * (null). Refused if the file differs from `hash`.
   * @throws HarborError `hash_mismatch`, `file_missing`, and as writing files does
   */
  'changes:revertFile': {
    args: bySession.extend({
      path: z.string().min(1).max(4096),
      earlierContent: z.int().nullable(),
      hash: z.string(),
    }),
    result: nothing,
  },
  /**
   * The tests that the sources of the session's project define. All tests calls:
   * @throws HarborError `unknown_session`
   */
  'tests:units': { args: bySession, result: ProjectTests },
  /**
   * Runs tests as the tool `run_tests` does. Returns the row when it has started.
   * @throws HarborError `not_supported`, `file_missing`, `file_not_allowed`, `session_ended`
   */
  'tests:run': {
    args: bySession.extend({
      ...TestChoice.shape,
      /** Whether an error in a test suspends it in the debugger. */
      debug: z.boolean(),
    }),
    result: z.object({ evaluation: z.int() }),
  },
  /** The results so far of a run; null if it does not run tests now. */
  'tests:progress': { args: bySession.extend({ evaluation: z.int() }), result: TestsSoFar.nullable() },
  /** The newest runs of the session's project, of all clients, newest first. */
  'tests:runs': { args: bySession, result: z.array(RecordedRun) },
  /** Events of the session's images since the harbor started, oldest first. */
  'log:session': { args: bySession, result: z.array(LogLine) },
  'log:read': { args: nothing, result: HarborLog },
  /** Shows the log folder in the file manager. @throws HarborError `internal` with the reason */
  'log:openFolder': { args: nothing, result: nothing },
} satisfies CallTable;
