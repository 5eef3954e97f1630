/** Real paths, symbolic links followed, also of what is not there yet. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isWithin } from './project-rules';

/** Links that are followed one after another, as many as Linux follows. */
const MOST_LINKS = 40;

/**
 * The real path of the nearest ancestor that can be reached, with what is asked for below it as it was written. A link that
 * leads nowhere counts as where it leads: what is decided by the path then says nothing of whether something is there.
 */
export function realPath(file: string): string {
  return new RealPaths().of(file);
}

/** Real paths at one moment: folders that several of them lie in are followed once. */
export class RealPaths {
  readonly #known = new Map<string, string>();

  /** As `realPath`. */
  of(file: string): string {
    return this.#following(path.resolve(file), MOST_LINKS);
  }

  #following(absolute: string, linksLeft: number): string {
    const known = this.#known.get(absolute);
    if (known !== undefined) return known;
    const real = reached(absolute) ?? this.#belowParent(absolute, linksLeft);
    this.#known.set(absolute, real);
    return real;
  }

  #belowParent(absolute: string, linksLeft: number): string {
    const parent = path.dirname(absolute);
    if (parent === absolute) return absolute;
    const at = path.join(this.#following(parent, linksLeft), path.basename(absolute));
    const leads = linksLeft > 0 ? targetOf(at) : null;
    return leads === null ? at : this.#following(path.resolve(path.dirname(at), leads), linksLeft - 1);
  }
}

/** null for what cannot be reached. Most often nothing is there, which is told without the cost of an error. */
function reached(absolute: string): string | null {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false }) ? realpathSync.native(absolute) : null;
  } catch {
    return null;
  }
}

/** Whether a link by which the file is reached lies in one of the folders: who may write there chooses where it leads. */
export function isLedThrough(file: string, folders: readonly string[], platform: NodeJS.Platform): boolean {
  return linksOn(file).some((link) => folders.some((folder) => isWithin(link, folder, platform)));
}

/** Where the links lie by which a file is reached, as they are followed. Nothing needs to be there. */
function linksOn(file: string): string[] {
  const absolute = path.resolve(file);
  let { root: done } = path.parse(absolute);
  const links: string[] = [];
  const left = absolute.slice(done.length).split(path.sep);
  for (let name = left.shift(); name !== undefined && links.length < MOST_LINKS; name = left.shift()) {
    // What was followed so far is real, so that `..` is the folder above it.
    const at = path.join(done, name);
    const leads = targetOf(at);
    if (leads === null) done = at;
    else {
      links.push(at);
      if (path.isAbsolute(leads)) ({ root: done } = path.parse(leads));
      left.unshift(...leads.split(path.sep));
    }
  }
  return links;
}

/** null for what is no link. */
function targetOf(file: string): string | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(file) : null;
  } catch {
    return null;
  }
}
