/** Names in folders that fetched code may have changed: a link that leads out of them is not followed. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from '../sandbox/project-rules';

/** What is in `folder`, and with `deep` what is below; nothing when it leads out of `root`, or is not there. */
export async function namesWithin(
  root: string,
  folder: string,
  { deep = false }: { deep?: boolean } = {},
): Promise<string[]> {
  const [outer, real] = await Promise.all([root, path.join(root, folder)].map(realOrNull));
  if (!outer || !real || !isWithin(real, outer, process.platform)) return [];
  return readdir(real, { recursive: deep }).catch(() => []);
}

function realOrNull(entry: string): Promise<string | null> {
  return realpath(entry).catch(() => null);
}
