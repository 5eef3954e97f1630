/** Folders of libraries that files may be read in because sessions of the project have them, as their installations say. */
import type { AllowRow } from '../contract/allow-list';
import type { Session } from './session/session';

export function libraryRows(sessions: readonly Session[], project: string): AllowRow[] {
  return sessions.flatMap(({ identity, libraryFolder }): AllowRow[] => {
    if (identity.project !== project || libraryFolder === undefined) return [];
    const reason = `what sessions of ${identity.engine} include`;
    const row = { folder: libraryFolder, project, power: 'read', reason } as const;
    return [{ ...row, addedBy: 'default', addedAt: null, isDefault: true }];
  });
}
