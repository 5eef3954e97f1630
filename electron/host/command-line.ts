/** Reads the command line of this process; tables of options. */

import type { ParseArgsOptionDescriptor } from 'node:util';

/**
 * Reports whether this is Electron with Chromium, which reads the same command line, and not Electron run as
 * Node.
 */
export function isElectronApp({
  versions,
  env,
}: {
  versions: { electron?: string };
  env: NodeJS.ProcessEnv;
}): boolean {
  return versions.electron !== undefined && !env.ELECTRON_RUN_AS_NODE;
}

/** Returns the words after the program’s name, for an installed app, Electron or Node with a script. */
export function commandLine(from: NodeJS.Process): string[] {
  // Electron sets defaultApp if it runs an app given as argument, as from a clone.
  const installed = isElectronApp(from) && !Reflect.has(from, 'defaultApp');
  return from.argv.slice(installed ? 1 : 2);
}

/** An option and its help text. */
export type OptionRow = ParseArgsOptionDescriptor & {
  /** Placeholder of its value, in capitals; absent for a switch. */
  takes?: string;
  /** Short description. */
  does: string;
};

export const value = (takes: string, does: string) => ({ type: 'string' as const, takes, does });
export const flag = (does: string) => ({ type: 'boolean' as const, does });

/** Returns the help lines of the options. */
export function optionLines(rows: Readonly<Record<string, OptionRow>>): string {
  return Object.entries(rows).map(lineOf).join('\n');
}

function lineOf([name, row]: [string, OptionRow]): string {
  const short = row.short === undefined ? '' : `, -${row.short}`;
  const option = row.takes === undefined ? `--${name}${short}` : `--${name} ${row.takes}`;
  return `  ${option.padEnd(22)}${row.does}`;
}
