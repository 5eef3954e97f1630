/** A row of a table of options, and what help says of it. */
import type { ParseArgsOptionDescriptor } from 'node:util';

export type OptionRow = ParseArgsOptionDescriptor & {
  /** What stands after it, in capitals; absent for a switch. */
  takes?: string;
  /** In a few words. */
  does: string;
};

export const value = (takes: string, does: string) => ({ type: 'string' as const, takes, does });
export const flag = (does: string) => ({ type: 'boolean' as const, does });

/** A line for each. */
export function optionLines(rows: Readonly<Record<string, OptionRow>>): string {
  return Object.entries(rows).map(lineOf).join('\n');
}

function lineOf([name, row]: [string, OptionRow]): string {
  const short = row.short === undefined ? '' : `, -${row.short}`;
  const asked = row.takes === undefined ? `--${name}${short}` : `--${name} ${row.takes}`;
  return `  ${asked.padEnd(22)}${row.does}`;
}
