/** Reads how this host arranges the folders that programs run from. */
import { lstat, readlink } from 'node:fs/promises';
import type { HostLayout } from '../sandbox/bubblewrap-arguments';

const FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Links (a merged `/usr`) and folders of their own, told apart; what does not exist is left out. */
export async function readHostLayout(): Promise<HostLayout> {
  const links: { path: string; target: string }[] = [];
  const folders: string[] = [];
  for (const path of FOLDERS) {
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink()) links.push({ path, target: await readlink(path) });
    else if (found?.isDirectory()) folders.push(path);
  }
  return { links, folders };
}
