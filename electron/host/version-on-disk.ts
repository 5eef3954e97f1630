/** The version of the app that lies where this one was started from: a package manager may replace it meanwhile. */
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { places, VERSION } from './places';

/** Beside the archive, whose old contents a running app goes on reading. The build writes it. */
const FILE = 'app-version';

/** Follows what lies where this app was started from; a clone is nothing that is installed. */
export function followInstalled(tell: (other: string | null) => void): () => void {
  return places.installed ? followVersion(path.dirname(places.root), VERSION, tell) : () => undefined;
}

/**
 * Tells at once, and again after each change, which other version lies there; null while it is the one that runs. While none
 * does, as between a removal and an installation, nothing is told. Answers how to end it.
 */
export function followVersion(
  folder: string,
  running: string,
  tell: (other: string | null) => void,
): () => void {
  let told: string | null = null;
  const look = () => {
    const there = readVersion(path.join(folder, FILE));
    const other = there === running ? null : there;
    if (there === undefined || other === told) return;
    told = other ?? null;
    tell(told);
  };
  const watcher = watching(folder, look);
  look();
  return () => watcher?.close();
}

/** A folder that cannot be watched is one that nobody replaces here. */
function watching(folder: string, look: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, look).on('error', look);
  } catch {
    return undefined;
  }
}

/** undefined while there is none that is whole. */
function readVersion(file: string): string | undefined {
  try {
    return /^(\S+)\n$/.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
