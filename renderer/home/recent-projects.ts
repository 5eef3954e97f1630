/** Projects that a person may go on with: those of sessions first, the one used last before all. Pure. */
import type { EngineName, SessionView } from '../../electron/contract/model';

export interface RecentProject {
  folder: string;
  engines: EngineName[];
  open: number;
  asleep: number;
  /** Milliseconds since the epoch; null without a session. */
  usedAt: number | null;
}

const MOST = 6;

/** @param known folders that a person has chosen, in the order in which they follow */
export function recentProjects(sessions: readonly SessionView[], known: readonly string[]): RecentProject[] {
  const there = sessions.filter(({ state }) => state !== 'ended');
  const folders = new Set([...there.map(({ project }) => project), ...known]);
  const projects = Array.from(folders, (folder) => {
    const own = there.filter(({ project }) => project === folder);
    return {
      folder,
      engines: [...new Set(own.map(({ engine }) => engine))],
      open: own.length,
      asleep: own.filter(({ state }) => state === 'asleep').length,
      usedAt: own.length === 0 ? null : Math.max(...own.map(({ lastUsedAt }) => lastUsedAt)),
    };
  });
  return projects.sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0)).slice(0, MOST);
}
