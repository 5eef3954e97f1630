/** What the tray and the dialogs say about sessions. Pure. */

/** `no sessions`, `1 session`, `3 sessions`. */
export function countSessions(count: number): string {
  if (count === 0) return 'no sessions';
  return count === 1 ? '1 session' : `${count} sessions`;
}

/** What ends with the app: `ends 3 sessions, 1 of them running`; empty when nothing does. */
export function whatEnds({ sessions, running }: { sessions: number; running: number }): string {
  if (sessions === 0) return '';
  const busy = running === 0 ? '' : sessions === 1 ? ', which is running' : `, ${running} of them running`;
  return `ends ${countSessions(sessions)}${busy}`;
}

/** Names in a row as a sentence has them: `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
