/** Approvals of this harbor: the rules of its settings, and a person at the window where there is one. */
import { Approvals } from '../access/approvals';
import { PERSON_KEY } from '../contract/known-clients';
import type { SettingsFile } from '../host/settings-file';
import type { Sessions } from '../sessions/sessions';

export interface ApprovalsDependencies {
  settings: SettingsFile;
  sessions: Sessions;
  kind: 'app' | 'headless';
}

/** Pausing also stops what clients evaluate at that moment. */
export function composeApprovals({ settings, sessions, kind }: ApprovalsDependencies): Approvals {
  const approvals = new Approvals({
    rules: () => settings.current.approvals,
    addRule: (rule) => settings.change(({ approvals: rules }) => ({ approvals: [...rules, rule] })),
    isAttended: () => kind === 'app',
  });
  approvals.on('paused', () => void sessions.stopClients(PERSON_KEY));
  return approvals;
}
