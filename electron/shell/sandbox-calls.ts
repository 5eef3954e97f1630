/** The window's calls about the allow-list, the sandbox and approvals. */
import type { Approvals } from '../access/approvals';
import { approvalOf } from '../access/decide';
import type { AllowRow, FileQuestion, NewAllowEntry, SandboxView, Verdict } from '../contract/allow-list';
import type { Client } from '../contract/model';
import type { SettingsFile } from '../host/settings-file';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import type { CallHandlers } from './answer';

/** What a person may change, as the harbor composed it. */
export interface SandboxControls {
  read(): SandboxView;
  /** @throws HarborError `bad_arguments` */
  allow(entry: NewAllowEntry): Promise<void>;
  /** @throws HarborError `path_not_allowed` */
  wouldUse(question: FileQuestion): Promise<Verdict>;
  remove(row: AllowRow): void;
  shareNetwork(allowed: boolean): void;
  restart(session: Session): Promise<void>;
}

interface Services {
  person: Client;
  sessions: Sessions;
  sandbox: SandboxControls;
  approvals: Approvals;
  settings: SettingsFile;
  chooseFolder: () => Promise<string | null>;
}

type SandboxCall = Extract<keyof CallHandlers, `sandbox:${string}` | `approvals:${string}`>;

export function sandboxCalls(services: Services): Pick<CallHandlers, SandboxCall> {
  const { sandbox, approvals, sessions, person, settings } = services;
  return {
    'sandbox:read': () => sandbox.read(),
    'sandbox:choose': () => services.chooseFolder(),
    'sandbox:allow': async (entry) => {
      await sandbox.allow(entry);
      return sandbox.read();
    },
    'sandbox:remove': (row) => {
      sandbox.remove(row);
      return sandbox.read();
    },
    'sandbox:network': ({ allowed }) => {
      sandbox.shareNetwork(allowed);
      return sandbox.read();
    },
    'sandbox:restart': async ({ session }) => {
      await sandbox.restart(await sessions.find(session, person));
      return sandbox.read();
    },
    'sandbox:wouldUse': (question) => sandbox.wouldUse(question),
    'sandbox:wouldCall': ({ client, class: act }) => {
      if (approvals.state.paused) return { answer: 'deny', rule: null };
      return approvalOf(client ?? '', act, settings.current.approvals);
    },
    'approvals:read': () => approvals.state,
    'approvals:answer': ({ id, reply }) => {
      approvals.answer(id, reply);
      return null;
    },
    'approvals:pause': ({ paused }) => {
      approvals.pause(paused);
      return null;
    },
  };
}
