/**
 * Code that was compiled at an earlier start is used again (Node's module.enableCompileCache): a start takes an eighth less. It
 * lies in the data folder, where neither images nor file tools write, for what stands there is run.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import type { DataFolder } from './data-folder';

/** Milliseconds after which what was compiled is written: by then all is loaded that a start needs. */
const WRITE_AFTER_MS = 10_000;

/**
 * Has all code that is loaded from now on come from there, so entries call it before they load the harbor. A data folder that no
 * harbor has used yet is left as it is.
 */
export function keepCompiledCode(folder: DataFolder): void {
  if (!existsSync(folder.history) || !isPrivate(folder.root)) return;
  const ours = buildName();
  const { directory } = enableCompileCache(path.join(folder.compiled, ours));
  if (directory === undefined) return;
  removeOthers(folder.compiled, ours);
  // Node does it when it ends by itself, too.
  setTimeout(flushCompileCache, WRITE_AFTER_MS).unref();
}

/** Whether nobody but its owner, who runs this, may write there. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0);
}

/** Of the files of this build, whose names say what is in them: each build has a folder of its own. */
function buildName(): string {
  const files = readdirSync(import.meta.dirname).sort();
  return createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16);
}

/** What other builds have left. Somebody else chose the folder if there is none: NODE_COMPILE_CACHE comes first. */
function removeOthers(compiled: string, ours: string): void {
  if (!existsSync(compiled)) return;
  for (const name of readdirSync(compiled).filter((each) => each !== ours))
    rmSync(path.join(compiled, name), { recursive: true, force: true });
}
