/** Calls of the window about the harbor itself: status, settings, sandbox, approvals, needs, projects. */
import { z } from 'zod';
import { AllowRow, FileQuestion, NewAllowEntry, SandboxView, Verdict } from '../allow-list';
import { ApprovalClass, ApprovalReply, ApprovalState } from '../approvals';
import { MenuCommand } from '../commands';
import { HarborStatus } from '../harbor-status';
import { Installable } from '../installable';
import { MemoryView } from '../memory';
import { SessionView } from '../model';
import { NeedsView } from '../needs';
import { Settings, SettingsChange } from '../settings';
import { byId, bySession, type CallTable, nothing } from './parameters';

export const harborCalls = {
  'harbor:status': { args: nothing, result: HarborStatus },
  'harbor:memory': { args: nothing, result: MemoryView },
  /** Looks anew for what is installed; null where no package manager is known. */
  'harbor:look': { args: nothing, result: Installable.nullable() },
  /** Listens on any free port where the one that was wanted is taken. */
  'harbor:listen': { args: nothing, result: nothing },
  'settings:read': { args: nothing, result: Settings },
  'settings:change': { args: SettingsChange, result: Settings },
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
    /** The rule that decides; null where all agents are paused, and nothing begins. */
    result: Verdict.pick({ answer: true }).extend({ rule: z.string().nullable() }),
  },
  'approvals:read': { args: nothing, result: ApprovalState },
  'approvals:answer': { args: byId.extend({ reply: ApprovalReply }), result: nothing },
  /** Lets nothing of any client begin, until it is taken back. What runs already runs on. */
  'approvals:pause': { args: z.object({ paused: z.boolean() }), result: nothing },
  /** The page's commands, for the application menu. */
  'window:commands': { args: z.array(MenuCommand).max(200), result: nothing },
  /** A page begins, and what was sent to the one before is not on its way any more. */
  'output:begin': { args: nothing, result: nothing },
  /** So many characters of output have been shown: main sends more only while little of it is on its way. */
  'output:taken': { args: z.object({ characters: z.int().min(0) }), result: nothing },
  'needs:read': { args: nothing, result: NeedsView },
  /** Tells of a refused file no longer. */
  'needs:dismiss': { args: byId, result: nothing },
  /** Makes a folder that a person named the project of new sessions, and opens one in it.
   * @throws HarborError `project_not_approved`, and as `sessions:open` */
  'projects:open': { args: z.object({ folder: z.string().min(1).max(4096) }), result: SessionView },
  'projects:choose': { args: nothing, result: z.object({ project: z.string() }).nullable() },
} satisfies CallTable;
