/**
 * Window calls about the harbor: status, settings, sandbox, approvals, clients, history, diagnostics and
 * updates.
 */
import { z } from 'zod';
import { ApprovalClass, ApprovalReply, ApprovalState, LONGEST_REASON, NeedsView } from './approvals';
import {
  ChosenProfiles,
  ConnectDiagnosis,
  ConnectPreview,
  ConnectRequest,
  ConnectView,
  ProfileChoice,
} from './clients';
import { HarborStatus, Installable, OfferedTool, ToolTrial, UpdateView } from './harbor-status';
import {
  CallRecord,
  ExportFormat,
  HistoryEntry,
  HistoryFacets,
  HistoryFilter,
  HistoryOutline,
  HistoryTimeline,
  RunAgainSession,
} from './history';
import {
  Evaluation,
  HistoryPage,
  HistoryQuery,
  MemoryView,
  Scope,
  SessionView,
  Stream,
  TokenView,
} from './model';
import { TestTotals } from './report';
import { AccessVerdict, AllowRow, FileAccessQuery, NewAllowEntry, SandboxView } from './sandbox';
import { byId, byName, bySession, type CallTable, nothing } from './session-calls';
import { Settings, SettingsChange } from './settings';

/** The window's commands, as the application menu shows them. */
export const MenuCommand = z.object({
  id: z.string().max(60),
  title: z.string().max(80),
  group: z.enum(['Go', 'Session', 'Agents', 'Window']),
  /** Such as `Mod+Shift+K`; null for none. The page handles the key, the menu only shows it. */
  shortcut: z.string().max(40).nullable(),
});
export type MenuCommand = z.infer<typeof MenuCommand>;

const ofProject = z.object({ project: z.string() });

export const harborCalls = {
  'harbor:status': { args: nothing, result: HarborStatus },
  'harbor:memory': { args: nothing, result: MemoryView },
  /** Searches for installed engines again. null if no package manager is known. */
  'harbor:look': { args: nothing, result: Installable.nullable() },
  /** Listens on a free port when the configured port is in use. */
  'harbor:listen': { args: nothing, result: nothing },
  /** Resolves when it runs or has failed. @throws HarborError `bad_arguments` if the project has none */
  'applications:start': { args: ofProject, result: nothing },
  /** Ends it and closes its session. */
  'applications:stop': { args: ofProject, result: nothing },
  /** Opens its address in the browser. */
  'applications:show': { args: ofProject, result: nothing },
  'settings:read': { args: nothing, result: Settings },
  'settings:change': { args: SettingsChange, result: Settings },
  'sandbox:read': { args: nothing, result: SandboxView },
  /** Shows the folder dialog; null if the user cancels. */
  'sandbox:choose': { args: nothing, result: z.string().nullable() },
  /** @throws HarborError `bad_arguments` for a folder that would allow too much */
  'sandbox:allow': { args: NewAllowEntry, result: SandboxView },
  /** Removes an entry, or a default library. */
  'sandbox:remove': { args: AllowRow, result: SandboxView },
  /** Allows or denies network access for images of the current project. */
  'sandbox:network': { args: z.object({ allowed: z.boolean() }), result: SandboxView },
  /**
   * Replaces the session's image by one with the present sandbox rules and the same state.
   * @throws HarborError as saving and restoring a checkpoint do
   */
  'sandbox:restart': { args: bySession, result: SandboxView },
  /** Evaluates the file rules for the shown project. Opens no file and asks no question. */
  'sandbox:wouldUse': { args: FileAccessQuery, result: AccessVerdict },
  /** Evaluates the approval rules for a class. `client` is null for a client without rules of its own. */
  'sandbox:wouldCall': {
    args: z.object({ client: z.string().min(1).max(200).nullable(), class: ApprovalClass }),
    /** The rule that decides; null while all agents are paused. */
    result: AccessVerdict.pick({ answer: true }).extend({ rule: z.string().nullable() }),
  },
  'approvals:read': { args: nothing, result: ApprovalState },
  'approvals:answer': {
    args: byId.extend({
      digest: z.string(),
      reply: ApprovalReply,
      /** Why the user refuses, for the client. Only for `no`; '' gives no reason. */
      reason: z.string().max(LONGEST_REASON).default(''),
    }),
    result: nothing,
  },
  /** Pauses or resumes all clients. Nothing new starts while paused; running evaluations continue. */
  'approvals:pause': { args: z.object({ paused: z.boolean() }), result: nothing },
  /** Sets the page's commands for the application menu. */
  'window:commands': { args: z.array(MenuCommand).max(200), result: nothing },
  /** Sent when a page loads. Output sent to an earlier page then no longer counts as unconfirmed. */
  'output:begin': { args: nothing, result: nothing },
  /** Reports the number of output characters shown. Main limits the amount of unconfirmed output. */
  'output:taken': { args: z.object({ characters: z.int().min(0) }), result: nothing },
  'needs:read': { args: nothing, result: NeedsView },
  /** Dismisses the notice of a refused file. */
  'needs:dismiss': { args: byId, result: nothing },
  /** Dismisses the notice of a repository that appeared; with null, of all protected places of the project. */
  'needs:dismissAppeared': {
    args: z.object({ project: z.string(), path: z.string().nullable() }),
    result: nothing,
  },
  /** Whether Git ignores repositories outside of `.git`; null if Git is not installed. */
  'git:read': { args: nothing, result: z.boolean().nullable() },
  /** Makes Git ignore them, by `safe.bareRepository=explicit`. @throws HarborError `internal` */
  'git:guard': { args: nothing, result: z.boolean().nullable() },
  /**
   * Makes a folder named by the user the project of new sessions, and opens a session there.
   * @throws HarborError `project_not_approved`, and as `sessions:open`
   */
  'projects:open': { args: z.object({ folder: z.string().min(1).max(4096) }), result: SessionView },
  'projects:choose': { args: nothing, result: z.object({ project: z.string() }).nullable() },
} satisfies CallTable;

/** Window calls about client programs: tokens, profiles and configurations. */
export const clientCalls = {
  'tokens:list': { args: nothing, result: z.array(TokenView) },
  /** `token` is the secret, which is shown only once. */
  'tokens:issue': {
    args: byName.extend({ scopes: z.array(Scope).min(1) }),
    result: z.object({ token: z.string(), view: TokenView }),
  },
  /**
   * Replaces a token by a new one of the same name and scopes. `token` is the secret, which is shown only
   * once.
   */
  'tokens:rotate': { args: byId, result: z.object({ token: z.string(), view: TokenView }) },
  'tokens:revoke': { args: byId, result: nothing },
  'profiles:list': { args: nothing, result: ChosenProfiles },
  /** Sets the profile of a client, from its next request on. @throws HarborError `bad_arguments` */
  'profiles:choose': { args: ProfileChoice, result: ChosenProfiles },
  'connect:list': { args: nothing, result: z.array(ConnectView) },
  'connect:preview': {
    args: byName.extend(ConnectRequest.shape).extend({ action: z.enum(['add', 'remove']) }),
    result: ConnectPreview,
  },
  'connect:add': { args: byName.extend(ConnectRequest.shape), result: ConnectView },
  'connect:remove': { args: byName, result: ConnectView },
  /** Makes a handshake with the entry in the program's file. */
  'connect:doctor': { args: byName, result: ConnectDiagnosis },
  /** Opens a link that makes the program offer to add the entry. */
  'connect:openLink': { args: byName, result: nothing },
} satisfies CallTable;

/** Window calls about the history of evaluations and calls. */
export const historyCalls = {
  'history:page': { args: HistoryQuery, result: HistoryPage },
  /** With the checks of its test runs; absent if none ran. */
  'history:evaluation': { args: byId, result: Evaluation.extend({ tests: TestTotals.optional() }) },
  /**
   * A page of one value of an evaluation, from a character offset. Forms and values count from 0.
   * @throws HarborError `unknown_evaluation`
   */
  'history:value': {
    args: byId.extend({ form: z.int().min(0), value: z.int().min(0), offset: z.int().min(0) }),
    result: z.object({ text: z.string(), next: z.int() }),
  },
  /** The last characters that an evaluation has printed so far, in order. */
  'history:printed': {
    args: byId.extend({ last: z.int().min(1).max(1_000_000) }),
    result: z.array(z.object({ stream: Stream, text: z.string() })),
  },
  /** Entries by key, newest first: below, up to, or above a key. */
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
  /** Length of the list and the keys of its pages; null if another outline was requested meanwhile. */
  'history:outline': { args: HistoryFilter, result: HistoryOutline.nullable() },
  /**
   * Activity of each client over time; null if another timeline was requested meanwhile, or for a search text
   * of one or two letters.
   */
  'history:timeline': { args: HistoryFilter, result: HistoryTimeline.nullable() },
  /** Key of an evaluation or a call, or of the newest entry that started before a time; null for none. */
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
  /**
   * Evaluates the code of a row again in a session of its engine.
   * @throws HarborError `unknown_evaluation`, `not_supported` for a row without code, `session_ended` if its
   *   session is required, and as opening a session and saving a checkpoint do
   */
  'history:runAgain': {
    args: byId.extend({ where: RunAgainSession }),
    result: z.object({ session: SessionView, evaluation: z.number().int() }),
  },
  /**
   * Shows the save dialog and writes the newest evaluations that match the filter. `left` counts those that
   * the format cannot represent. null if the user cancels.
   * @throws HarborError `file_not_allowed`
   */
  'history:export': {
    args: z.object({ filter: HistoryFilter, format: ExportFormat }),
    result: z.object({ file: z.string(), evaluations: z.number().int(), left: z.number().int() }).nullable(),
  },
  /**
   * Shows the save dialog and writes the report of a final check as text and JSON; null if the user cancels.
   * @throws HarborError `unknown_evaluation`, `file_not_allowed`
   */
  'history:saveCheck': { args: byId, result: z.object({ file: z.string() }).nullable() },
} satisfies CallTable;

/** Window calls for diagnosing problems. */
export const diagnosticsCalls = {
  /**
   * The tools of the default profile. This and the next call: @throws HarborError `internal` if the harbor
   * does not answer
   */
  'diagnostics:tools': { args: nothing, result: z.array(OfferedTool) },
  /**
   * Calls a tool as a client without rules does. `arguments` is JSON.
   * @throws HarborError `bad_arguments` if it is no JSON object
   */
  'diagnostics:call': {
    args: z.object({ tool: z.string().min(1).max(200), arguments: z.string().max(1_000_000) }),
    result: ToolTrial,
  },
  /** Ends the client conversation of these calls, and its session. */
  'diagnostics:end': { args: nothing, result: nothing },
  /** Versions, engines, sandbox, ports and the last lines of the log as text, with secrets removed. */
  'diagnostics:report': { args: nothing, result: z.string() },
} satisfies CallTable;

/** Window calls about updates of the app. */
export const updateCalls = {
  'updates:read': { args: nothing, result: UpdateView },
  /** Resolves when the check for a newer version has finished. */
  'updates:look': { args: nothing, result: UpdateView },
  /** Starts the download of the version found. @throws HarborError `bad_arguments` */
  'updates:get': { args: nothing, result: UpdateView },
  /**
   * Installs the downloaded version as soon as no evaluation runs, or cancels that. @throws HarborError
   * `bad_arguments`
   */
  'updates:install': { args: z.object({ wanted: z.boolean() }), result: UpdateView },
} satisfies CallTable;
