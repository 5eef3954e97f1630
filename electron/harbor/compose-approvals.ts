/** Approvals of this harbor: the rules of its settings, and a person at the window where there is one. */
import { Approvals } from '../access/approvals';
import type { SettingsFile } from '../host/settings-file';

export interface ApprovalsDependencies {
  settings: SettingsFile;
  kind: 'app' | 'headless';
}

export function composeApprovals({ settings, kind }: ApprovalsDependencies): Approvals {
  return new Approvals({
    rules: () => settings.current.approvals,
    addRule: (rule) => settings.change(({ approvals: rules }) => ({ approvals: [...rules, rule] })),
    isAttended: () => kind === 'app',
  });
}
