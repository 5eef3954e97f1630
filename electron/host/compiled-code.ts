/**
 * Caches compiled code between starts (Node’s module.enableCompileCache), which saves an eighth of the start.
 * The cache is executed, so it is in the data folder, where neither images nor file tools write.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import type { DataFolder } from './data-folder';
import { system } from './system';

/** Time after which the cache is written, in milliseconds. By then all code of a start is loaded. */
const WRITE_AFTER_MS = 10_000;

/**
 * Enables the cache for all code loaded from now on. Entries call it before they load the harbor. A data
 * folder that no harbor has used yet is not changed.
 */
export function cacheCompiledCode(folder: DataFolder): void {
  if (!existsSync(folder.history) || !isPrivate(folder.root)) return;
  const ours = buildName();
  const place = path.join(folder.compiled, ours);
  // Node would create it readable by everybody.
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const { directory } = enableCompileCache(place);
  if (directory === undefined) return;
  removeOthers(folder.compiled, ours);
  // Node also writes it at a normal exit.
  setTimeout(flushCompileCache, WRITE_AFTER_MS).unref();
}

/** Reports whether only its owner, who runs this process, can write there. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return !system.isUnix || (uid === process.getuid?.() && (mode & 0o022) === 0);
}

/** Returns a name for this build, made from its file names. Each build has its own folder. */
function buildName(): string {
  const files = readdirSync(import.meta.dirname).sort();
  return createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16);
}

/**
 * Removes the caches of other builds. The folder is missing if NODE_COMPILE_CACHE names another one, which
 * takes precedence.
 */
function removeOthers(compiled: string, ours: string): void {
  if (!existsSync(compiled)) return;
  for (const name of readdirSync(compiled).filter((each) => each !== ours))
    rmSync(path.join(compiled, name), { recursive: true, force: true });
}
