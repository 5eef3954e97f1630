/** Where this harbor runs from, as other programs have to start it. */
import path from 'node:path';
import { type Origin, startWords } from '../connect/stdio-command';
import { HarborError } from '../contract/errors';
import { isExecutable } from '../host/child-process';
import { type DataFolder, defaultRoot } from '../host/data-folder';
import { places } from '../host/places';

/** The words of a command that starts the app without its window. @throws as `origin` */
export function hiddenStart(folder: DataFolder): string[] {
  const data = isDefaultEverywhere(folder.root) ? [] : ['--data', folder.root];
  return [...startWords(origin()), '--hidden', ...data];
}

/** Clients pass their servers little of the environment, and what XDG_DATA_HOME says may not reach them. */
export function isDefaultEverywhere(root: string): boolean {
  const { XDG_DATA_HOME: _, ...bare } = process.env;
  return root === defaultRoot() && root === defaultRoot(process.platform, bare);
}

/** @throws HarborError `not_supported` where a clone has no node on the PATH */
export function origin(): Origin {
  // An AppImage runs from a temporary mount; its own file is what stays.
  if (places.installed)
    return { kind: 'app', executable: process.env.APPIMAGE ?? places.launcher ?? process.execPath };
  return { kind: 'clone', node: nodeExecutable(), folder: places.root };
}

/** The harbor may run in Electron; a client's entry names the Node that the set-up ran on, or the shell's. */
function nodeExecutable(): string {
  if (process.env.LISP_HARBOR_NODE) return process.env.LISP_HARBOR_NODE;
  if (process.versions.electron === undefined) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  const found = folders.map((folder) => path.join(folder, name)).find(isExecutable);
  if (found) return found;
  throw new HarborError(
    'not_supported',
    'No node was found on the PATH; other programs need it to start the bridge.',
  );
}
