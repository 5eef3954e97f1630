/** The Java of this machine, for the engines that run on it. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from './agent/programs';

export interface Java {
  command: string;
  /** What must be readable for it to run. */
  needs: string[];
}

/** How a person gets one. */
export const INSTALL_JAVA = 'Install it with: apt install default-jre-headless';

/** @param searchPath folders to look in, as in PATH */
export async function findJava(searchPath: string): Promise<Java | undefined> {
  const command = await findProgram(['java'], searchPath);
  if (command === undefined) return undefined;
  const virtualMachine = path.dirname(path.dirname(await realpath(command)));
  return { command, needs: [virtualMachine, ...(await settings())] };
}

/** Debian keeps the JVM's settings, without which it does not start, in /etc. */
async function settings(): Promise<string[]> {
  const entries = await readdir('/etc').catch(() => []);
  return entries.filter((name) => /^java(-|$)/.test(name)).map((name) => path.join('/etc', name));
}
