/** Which lines of a log are shown. Pure. */
import type { LogLevel, LogLine } from '../../electron/contract/log';

/** From which level on; `debug` for all. */
export const LEVELS = ['debug', 'warn', 'error'] as const satisfies readonly LogLevel[];

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The newest first. */
export function shownLines(lines: readonly LogLine[], part: string, level: LogLevel): LogLine[] {
  const wanted = part.trim().toLowerCase();
  const least = ORDER.indexOf(level);
  return lines
    .filter((line) => ORDER.indexOf(line.level) >= least && line.text.toLowerCase().includes(wanted))
    .reverse();
}
