/**
 * The contract between window and main: one table of calls, one of events. A name without a schema, or a
 * schema without a name, does not compile; the handlers in shell/ and the calls in renderer/ take their types here.
 */
import { z } from 'zod';
import { AllowRow, FileQuestion, NewAllowEntry, SandboxView, Verdict } from './allow-list';
import { ApprovalClass, ApprovalReply, ApprovalState } from './approvals';
import { ChangesSince, ChangesView } from './changes';
import type { CallName, EventName } from './channels';
import { CheckpointName, CheckpointView } from './checkpoints';
import { MenuCommand } from './commands';
import { ConnectAsked, ConnectDiagnosis, ConnectPreview, ConnectView } from './connections';
import { FailureView, FrameView, HeldAt, HeldView, StepWay } from './debugger';
import type { ErrorCode } from './errors';
import {
  CallRecord,
  ExportFormat,
  HistoryEntry,
  HistoryFacets,
  HistoryFilter,
  HistoryOutline,
} from './history';
import { InspectFrom, InspectionView, Numbers, Octets, PathStep, Records } from './inspection';
import { Completion, Findings, SymbolDescription } from './knowledge';
import { ChosenProfiles, ProfileChoice } from './known-clients';
import { ListenerView, TakenBack } from './listener';
import { HarborLog, LogLine } from './log';
import { Memory, MemoryView } from './memory';
import {
  EngineFound,
  EngineName,
  Evaluation,
  HistoryPage,
  HistoryQuery,
  HistoryRow,
  Outcome,
  SandboxReport,
  Scope,
  SessionId,
  SessionView,
  Stream,
  TokenView,
} from './model';
import { NeedsView } from './needs';
import { OpenPorts, SwankView } from './ports';
import { ProofProgress, TrustTag } from './proof';
import { AgainWhere } from './run-again';
import { Container, ServerAddress } from './server';
import { Settings, SettingsChange } from './settings';
import { LostCommand, WorldCommands } from './world';

/** The harbor at a glance. `problem` says why the endpoint does not listen; `notices` are sentences to show, those of the
 * settings file among them. */
export const HarborStatus = z.object({
  version: z.string(),
  dataFolder: z.string(),
  project: z.string(),
  /** null when no engine was found. */
  defaultEngine: EngineName.nullable(),
  engines: z.array(EngineFound),
  sandbox: SandboxReport,
  /** `httpsUrl` is null unless it is served over TLS as well. */
  endpoint: z.object({
    url: z.string().nullable(),
    httpsUrl: z.string().nullable(),
    problem: z.string().nullable(),
  }),
  ports: OpenPorts,
  settingsProblems: z.array(z.string()),
  notices: z.array(z.string()),
});
export type HarborStatus = z.infer<typeof HarborStatus>;

const nothing = z.null();
const bySession = z.object({ session: SessionId });
const byId = z.object({ id: z.number().int() });
const atHeld = bySession.extend({ held: HeldAt });
/** Which evaluation goes on, or ends; null where the restart came back and the level is held as before. */
const goneOn = z.object({ evaluation: z.int().nullable() });
/** A value in the session's image, or what a path leads to from there. */
const valueAt = bySession.extend({ handle: z.string().max(40), path: z.array(PathStep).max(100) });
const pageOfValue = valueAt.extend({ offset: z.int().min(0), limit: z.int().min(0).max(4096) });
const byName = z.object({ name: z.string().min(1).max(64) });

export const calls = {
  'harbor:status': { args: nothing, result: HarborStatus },
  'harbor:memory': { args: nothing, result: MemoryView },
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
  /** How far the prover has come with what runs; null where nobody can tell. */
  'sessions:progress': { args: bySession, result: ProofProgress.nullable() },
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
  /** Opens a port for the session's image, for Emacs to attach with SLIME; the one it has, if it has one.
   * @throws HarborError `not_supported`, `slime_missing`, `query_failed` */
  'swank:start': { args: bySession, result: SwankView },
  /** Closes it, and ends what Emacs runs there; `threads` names those that go on all the same. */
  'swank:stop': { args: bySession, result: z.object({ threads: z.array(z.string()) }) },
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
  /** Writes what a file held before the write `kept`, unless it is another one now than `hash` says.
   * @throws HarborError `hash_mismatch`, `file_missing`, and as writing files does */
  'changes:revertFile': {
    args: bySession.extend({ path: z.string().min(1).max(4096), kept: z.int(), hash: z.string() }),
    result: nothing,
  },
  /** What became of the session's images since the harbor was started, oldest first. */
  'log:session': { args: bySession, result: z.array(LogLine) },
  'log:read': { args: nothing, result: HarborLog },
  /** Shows the folder of the log in the system's file manager. @throws HarborError `internal` with why it was not shown */
  'log:openFolder': { args: nothing, result: nothing },
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
  'history:page': { args: HistoryQuery, result: HistoryPage },
  'history:evaluation': { args: byId, result: Evaluation },
  /** Entries by their keys, newest first: below one, up to one, or above one. */
  'history:entries': {
    args: z.object({
      filter: HistoryFilter,
      page: z.object({
        below: z.number().int().optional(),
        upTo: z.number().int().optional(),
        above: z.number().int().optional(),
        limit: z.number().int().min(1).max(500),
      }),
    }),
    result: z.array(HistoryEntry),
  },
  /** How long that list is, and where its pages begin; null when another was asked for meanwhile. */
  'history:outline': { args: HistoryFilter, result: HistoryOutline.nullable() },
  /** The key of an evaluation or a call, or of the newest entry that began before a time; null for none. */
  'history:locate': {
    args: z.union([
      z.object({ evaluation: z.number().int() }),
      z.object({ call: z.number().int() }),
      z.object({ before: z.number().int() }),
    ]),
    result: z.number().int().nullable(),
  },
  'history:facets': { args: nothing, result: HistoryFacets },
  /** @throws HarborError `unknown_evaluation` */
  'history:call': { args: byId, result: CallRecord },
  /** Evaluates its code again, in a session of its engine. @throws HarborError `unknown_evaluation`, `not_supported` for what
   * is no code, `session_ended` where its session is wanted, and as opening a session and saving a checkpoint do */
  'history:runAgain': {
    args: byId.extend({ where: AgainWhere }),
    result: z.object({ session: SessionView, evaluation: z.number().int() }),
  },
  /** Shows the system's save dialog and writes the newest evaluations that the filter means; `left` counts those that the
   * kind of file cannot hold. Null when the person cancelled. @throws HarborError `file_not_allowed` */
  'history:export': {
    args: z.object({ filter: HistoryFilter, format: ExportFormat }),
    result: z.object({ file: z.string(), evaluations: z.number().int(), left: z.number().int() }).nullable(),
  },
  /** Shows the system's save dialog and writes the report of a final check, as text and as JSON; null when the person
   * cancelled. @throws HarborError `unknown_evaluation`, `file_not_allowed` */
  'history:saveCheck': { args: byId, result: z.object({ file: z.string() }).nullable() },
  'tokens:list': { args: nothing, result: z.array(TokenView) },
  /** `token` is the secret, shown this once. */
  'tokens:issue': {
    args: byName.extend({ scopes: z.array(Scope).min(1) }),
    result: z.object({ token: z.string(), view: TokenView }),
  },
  'tokens:revoke': { args: byId, result: nothing },
  'profiles:list': { args: nothing, result: ChosenProfiles },
  /** Which profile a client is served, from its next request on. @throws HarborError `bad_arguments` */
  'profiles:choose': { args: ProfileChoice, result: ChosenProfiles },
  'connect:list': { args: nothing, result: z.array(ConnectView) },
  'connect:preview': {
    args: byName.extend(ConnectAsked.shape).extend({ action: z.enum(['add', 'remove']) }),
    result: ConnectPreview,
  },
  'connect:add': { args: byName.extend(ConnectAsked.shape), result: ConnectView },
  'connect:remove': { args: byName, result: ConnectView },
  /** A handshake by exactly what is in the program's file. */
  'connect:doctor': { args: byName, result: ConnectDiagnosis },
  /** Has the program ask its person for the entry. */
  'connect:openLink': { args: byName, result: nothing },
  'settings:read': { args: nothing, result: Settings },
  'settings:change': { args: SettingsChange, result: Settings },
  /** Shows the system's folder dialog; null when the person cancelled. */
  'sandbox:read': { args: nothing, result: SandboxView },
  /** Shows the system's folder dialog; null when the person cancelled. */
  'sandbox:choose': { args: nothing, result: z.string().nullable() },
  /** @throws HarborError `bad_arguments` for a folder that would open too much */
  'sandbox:allow': { args: NewAllowEntry, result: SandboxView },
  /** Takes off an entry, or a library that is there by default. */
  'sandbox:remove': { args: AllowRow, result: SandboxView },
  /** Whether images of the current project may open network connections. */
  'sandbox:network': { args: z.object({ allowed: z.boolean() }), result: SandboxView },
  /** Another image in the place of the session's, confined to what holds now and with the same state.
   * @throws HarborError as saving and restoring a checkpoint do */
  'sandbox:restart': { args: bySession, result: SandboxView },
  /** Whether the file tools would use a file for the project that is shown. Nothing is opened, and nobody asked. */
  'sandbox:wouldUse': { args: FileQuestion, result: Verdict },
  /** Whether a call of this class would begin, or somebody be asked. `client` is null for one without rules of its own. */
  'sandbox:wouldCall': {
    args: z.object({ client: z.string().min(1).max(200).nullable(), class: ApprovalClass }),
    result: Verdict,
  },
  'approvals:read': { args: nothing, result: ApprovalState },
  'approvals:answer': { args: byId.extend({ reply: ApprovalReply }), result: nothing },
  /** Lets nothing of any client begin, until it is taken back. What runs already runs on. */
  'approvals:pause': { args: z.object({ paused: z.boolean() }), result: nothing },
  /** The page's commands, for the application menu. */
  'window:commands': { args: z.array(MenuCommand).max(200), result: nothing },
  'needs:read': { args: nothing, result: NeedsView },
  /** Tells of a refused file no longer. */
  'needs:dismiss': { args: byId, result: nothing },
  /** Makes a folder that a person named the project of new sessions, and opens one in it.
   * @throws HarborError `project_not_approved`, and as `sessions:open` */
  'projects:open': { args: z.object({ folder: z.string().min(1).max(4096) }), result: SessionView },
  'projects:choose': { args: nothing, result: z.object({ project: z.string() }).nullable() },
} satisfies Record<CallName, { args: z.ZodType; result: z.ZodType }>;

export const events = {
  'harbor:changed': HarborStatus,
  /** Others are in force, by a change here or by hand; so what follows from them may be another as well. */
  'settings:changed': Settings,
  /** What goes on while a session is opened that is not there yet. */
  'session:opening': z.object({ doing: z.string() }),
  'session:changed': SessionView,
  'session:ended': bySession,
  /** One was saved or dropped. Which sessions need one changes with their images: `session:changed` tells. */
  'checkpoints:changed': nothing,
  'evaluation:opened': HistoryRow,
  'evaluation:output': z.object({
    evaluation: z.number().int(),
    session: SessionId,
    stream: Stream,
    text: z.string(),
  }),
  'evaluation:closed': HistoryRow,
  /** Something has begun or ended since the last time; told a few times a second at most. */
  'history:changed': nothing,
  'listener:output': bySession.extend({ text: z.string() }),
  'listener:changed': bySession.extend({ view: ListenerView }),
  'approvals:changed': ApprovalState,
  'needs:changed': NeedsView,
  /** A notification or the tray leads somewhere: a hash of route.ts. */
  /** A command was chosen in the application menu. */
  'window:run': z.object({ id: z.string() }),
  'window:go': z.object({ to: z.string() }),
} satisfies Record<EventName, z.ZodType>;

export type Args<C extends CallName> = z.input<(typeof calls)[C]['args']>;
export type ParsedArgs<C extends CallName> = z.output<(typeof calls)[C]['args']>;
export type Result<C extends CallName> = z.output<(typeof calls)[C]['result']>;
export type Payload<E extends EventName> = z.output<(typeof events)[E]>;

/** What crosses the bridge in answer to a call. */
export type Reply<T> = { ok: true; value: T } | { ok: false; code: ErrorCode; message: string };

/** What preload exposes to the page as `window.bridge`. `on` answers a function that unsubscribes. */
export interface Bridge {
  invoke<C extends CallName>(call: C, args: Args<C>): Promise<Reply<Result<C>>>;
  /** The path of a file or folder that a person dropped on the page; '' for what is none. */
  pathOf(file: File): string;
  on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void): () => void;
}
