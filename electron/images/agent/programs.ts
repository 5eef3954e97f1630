/** The programs of this machine: where they are, and what they say of themselves. */
import path from 'node:path';
import { isExecutable, runAlone } from '../../host/child-process';

/** Milliseconds that a program may take to answer. */
const ANSWER_MS = 10_000;

/** Where package managers put programs; a desktop program's PATH often lacks them. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin', '/opt/local/bin'];

/** The first of `names` on `searchPath` (as in PATH) or in the usual folders. */
export async function findProgram(names: readonly string[], searchPath: string): Promise<string | undefined> {
  const folders = [...searchPath.split(path.delimiter).filter(path.isAbsolute), ...USUAL_FOLDERS];
  for (const name of names)
    for (const folder of folders) {
      const program = path.join(folder, name);
      if (isExecutable(program)) return program;
    }
  return undefined;
}

/** What `program` prints on stdout. @throws Error with what it printed, when it fails */
export async function ask(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await runAlone(program, args, { timeout: ANSWER_MS })).stdout;
  } catch (error) {
    throw new Error(`${program} does not run: ${printed(error)}`, { cause: error });
  }
}

/** What a program printed before it failed, or why it could not be run at all. */
export function printed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stderr, stdout } = error as { stderr?: unknown; stdout?: unknown };
  const text = [stdout, stderr]
    .filter((part) => typeof part === 'string')
    .join('\n')
    .trim();
  return text.slice(-2_000) || error.message;
}
