/** Calls of the window about what a person does with sessions, their checkpoints, worlds and ports. */
import { z } from 'zod';
import { CheckpointName, CheckpointView } from '../checkpoints';
import { Completion, Findings } from '../knowledge';
import { ListenerView, TakenBack } from '../listener';
import { Memory } from '../memory';
import { EngineName, Outcome, SessionView } from '../model';
import { SwankView } from '../ports';
import { BuiltProof, ProofProgress, TrustTag } from '../proof';
import { Container, ServerAddress } from '../server';
import { LostCommand, WorldCommands } from '../world';
import { byId, bySession, type CallTable, nothing } from './parameters';

export const sessionCalls = {
  'sessions:list': { args: nothing, result: z.array(SessionView) },
  'sessions:open': {
    args: z.object({ engine: EngineName.optional(), name: z.string().max(80).optional() }),
    result: SessionView,
  },
  /** Names the server, so that agents may attach to it as well, and opens a session of it; a server that does not answer
   * is not named. @throws HarborError `not_approved` for one on another computer */
  'sessions:attach': { args: ServerAddress, result: SessionView },
  /** Names the container, so that agents may start it as well, and opens a session of it; one that does not start is not
   * named. @throws HarborError `engine_unavailable`, `engine_failed` */
  'sessions:container': { args: Container, result: SessionView },
  'sessions:close': { args: bySession, result: nothing },
  /** Gives a session that is asleep an image; its state may still be on its way back.
   * @throws HarborError why no image could be started */
  'sessions:wake': { args: bySession, result: SessionView },
  'sessions:interrupt': { args: bySession, result: z.object({ interrupted: z.boolean() }) },
  /** Stops this one evaluation: what waits for its turn never begins, what runs is interrupted, step by step; `by force`
   * leaves the steps out that keep the image. Settles when it is over; false when it was before. */
  'sessions:stop': {
    args: bySession.extend({ evaluation: z.number().int(), byForce: z.boolean() }),
    result: z.object({ stopped: z.boolean() }),
  },
  /** Another image in place of the session's, with what of its state can be brought back; what runs is ended with the image.
   * @throws HarborError `image_lost`, `session_ended`, `paused`, `not_approved` */
  'sessions:restart': { args: bySession, result: nothing },
  /** What a person calls it, and has noted of it; '' for no note. */
  'sessions:name': {
    args: bySession.extend({ name: z.string().trim().min(1).max(80), note: z.string().max(2_000) }),
    result: nothing,
  },
  /** Names that begin so, and fit what is typed, in the session's package; none where the image cannot tell in time. */
  'sessions:complete': {
    args: bySession.extend({ prefix: z.string().min(1).max(200) }),
    result: z.array(Completion),
  },
  /** How the operator of that name is called, such as `(subseq sequence start &optional end)`; null where nobody knows in time. */
  'sessions:arglist': {
    args: bySession.extend({ operator: z.string().min(1).max(200) }),
    result: z.object({ arglist: z.string().nullable() }),
  },
  /** Holds what is evaluated from now on at its unhandled errors, unless the caller asked otherwise.
   * @throws HarborError `not_supported` */
  'sessions:hold': { args: bySession.extend({ hold: z.boolean() }), result: nothing },
  /** How far the prover has come with that evaluation; null where nobody can tell, and when it does not run. */
  'sessions:progress': {
    args: bySession.extend({ evaluation: z.number().int() }),
    result: ProofProgress.nullable(),
  },
  /** Lets code of the session use trust tags and raw Lisp, for as long as its image lives; each of its results says so
   * from then on. @throws HarborError `not_supported` */
  'sessions:allowRawLisp': { args: bySession, result: nothing },
  /** Lets certified books of the system use trust tags of these names in the session; results that rest on one say so.
   * @throws HarborError `not_supported`; `bad_arguments` for a name that no such book has */
  'sessions:allowTrustTags': { args: bySession.extend({ tags: z.array(TrustTag) }), result: nothing },
  /** All that are saved, of every client; newest first. */
  'checkpoints:list': { args: nothing, result: z.array(CheckpointView) },
  /** @throws HarborError `busy`, `threads_running`, `checkpoint_failed`, `not_supported` */
  'checkpoints:save': { args: bySession.extend({ name: CheckpointName.optional() }), result: CheckpointView },
  /**
   * The session goes back to that state. Where that takes another image, what runs in it is interrupted; a prover goes
   * back by itself, when nothing runs. Then `kept` is the checkpoint that has what was there before, and `lost` counts
   * commands that are not admitted any more.
   * @throws HarborError `busy`, `checkpoint_failed` with what went wrong, `image_lost`, `session_ended`
   */
  'checkpoints:restore': {
    args: bySession.extend({ id: z.number().int() }),
    result: z.object({ kept: z.string().nullable(), lost: z.number().int() }),
  },
  /** Opens a session of the person's own with that state. */
  'checkpoints:branch': { args: byId, result: SessionView },
  /** @throws HarborError `busy` while a session needs it */
  'checkpoints:drop': { args: byId, result: nothing },
  /** @throws HarborError `not_supported` by engines that do not know it, `image_lost`, `took_too_long` */
  'sessions:memory': { args: bySession, result: Memory },
  /** Definitions that no file holds: those that are shown by name, and how many there are. None where the image cannot tell. */
  'sessions:unsaved': { args: bySession, result: Findings },
  /** Shows the system's save dialog and writes what the session has defined; null when the person cancelled.
   * @throws HarborError `not_supported`, `image_lost`, `file_not_allowed` */
  'sessions:export': {
    args: bySession,
    result: z.object({ file: z.string(), definitions: z.number().int() }).nullable(),
  },
  /** The same with what was evaluated in it, as a Jupyter notebook. */
  'sessions:notebook': {
    args: bySession,
    result: z.object({ file: z.string(), evaluations: z.number().int() }).nullable(),
  },
  /** The last commands of the session's logical world, at most `last`, oldest first.
   * @throws HarborError `not_supported`, `busy` while an evaluation runs, `query_failed`, `image_lost` */
  'world:commands': {
    args: bySession.extend({ last: z.number().int().min(1).max(100_000) }),
    result: WorldCommands,
  },
  /** Evaluates code that brings the world back to just after `command`, 0 being its beginning; with `alone` such that takes
   * out that command and submits those after it again. `lost` has those of them that are not admitted any more, `problem`
   * says why nothing was undone.
   * @throws HarborError `not_supported`, `image_lost`, `session_ended`, `data_folder_unusable` */
  'world:undo': {
    args: bySession.extend({ command: z.number().int(), alone: z.boolean() }),
    result: z.object({
      evaluation: z.number().int(),
      outcome: Outcome,
      problem: z.string().nullable(),
      lost: z.array(LostCommand),
    }),
  },
  /** Begins the final check of a theorem, or for null of the whole session; the row has the report at its end.
   * @throws HarborError `not_supported`, `busy` while an evaluation runs, `unknown_symbol`, `query_failed`, `image_lost` */
  'world:check': {
    args: bySession.extend({ claim: z.string().max(500).nullable() }),
    result: z.object({ evaluation: z.number().int() }),
  },
  /** Runs instructions of the proof-builder on a term, each one form, up to the first that fails; the world stays as it is.
   * @throws HarborError `bad_arguments`, `not_supported`, `image_lost`, `session_ended` */
  'world:build': {
    args: bySession.extend({
      term: z.string().max(100_000),
      instructions: z.array(z.string().max(10_000)).max(1_000),
    }),
    result: BuiltProof,
  },
  /** Opens a port for the session's image, for Emacs to attach with SLIME; the one it has, if it has one.
   * @throws HarborError `not_supported`, `slime_missing`, `query_failed` */
  'swank:start': { args: bySession, result: SwankView },
  /** Closes it, and ends what Emacs runs there; `threads` names those that go on all the same. */
  'swank:stop': { args: bySession, result: z.object({ threads: z.array(z.string()) }) },
  /** Joins the session's listener: `transcript` is what it has shown so far, its prompt last. */
  'listener:open': { args: bySession, result: z.object({ transcript: z.string(), view: ListenerView }) },
  /** One line (or several) typed by a person, without the final newline. `level` is the debugger level that it was typed
   * for; absent: the one that the listener's prompt shows. */
  'listener:submit': {
    args: bySession.extend({ text: z.string().max(4_000_000), level: z.number().int().min(0).optional() }),
    result: nothing,
  },
  /** Ctrl+C: takes back what was typed last and has not begun, or else interrupts what the listener itself runs, or else drops
   * a form that was begun. What others run is not touched. */
  'listener:takeBack': { args: bySession, result: TakenBack },
} satisfies CallTable;
