/** Finds the Java of this machine for the engines that need it. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from './agent/programs';

export interface Java {
  command: string;
  /** Paths that must be readable. */
  needs: string[];
}

/** Advice for a missing Java. */
export const INSTALL_JAVA = 'Install it with: apt install default-jre-headless';

/** @param searchPath folders to search, in the syntax of PATH */
export async function findJava(searchPath: string): Promise<Java | undefined> {
  const command = await findProgram(['java'], searchPath);
  if (command === undefined) return undefined;
  const virtualMachine = path.dirname(path.dirname(await realpath(command)));
  return { command, needs: [virtualMachine, ...(await settings())] };
}

/** Returns Debian's folders of JVM settings in /etc, without which the JVM does not start. */
async function settings(): Promise<string[]> {
  const entries = await readdir('/etc').catch(() => []);
  return entries.filter((name) => /^java(-|$)/.test(name)).map((name) => path.join('/etc', name));
}
