/** What a folder holds, as far as the rules let it be read; and what is in the place of a file that is not there. */
import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { namesNear } from '../contract/names-there';
import { decideFile, type FileRules } from './file-policy';
import { notAFolder, systemCode, toldOf } from './file-refusals';
import { OpenedFolder } from './opened-folder';
import { closing } from './opened-path';
import { realPath } from './real-path';

/** A path that was allowed, and the rules that allowed it. */
export interface Allowed {
  /** As it was asked for, made absolute. */
  asked: string;
  real: string;
  rules: FileRules;
}

interface Entry {
  name: string;
  type: 'file' | 'directory';
}

export interface ListedFolder {
  path: string;
  entries: Entry[];
  /** Whether that is all. */
  complete: boolean;
}

/** @param most entries that are looked at
 * @throws HarborError `not_a_file` for what is no folder, and as the system refuses */
export function listFolder(allowed: Allowed, most: number): Promise<ListedFolder> {
  return toldOf(allowed.asked, async () => {
    const opened = await OpenedFolder.open(allowed.real).catch((error: unknown) => {
      throw systemCode(error) === 'ENOTDIR' ? notAFolder(allowed.asked) : error;
    });
    return closing(opened, async (folder) => {
      const { names, complete } = await namesIn(folder.at(''), most);
      const entries = await Promise.all(names.map((name) => entryOf(path.join(allowed.real, name), allowed)));
      return { path: allowed.real, entries: entries.filter((entry) => entry !== null), complete };
    });
  });
}

/** What `work` answers; of a file that is not there it is told what there is instead. */
export async function namingOthers<R>(
  allowed: Allowed,
  most: number,
  work: (allowed: Allowed) => Promise<R>,
): Promise<R> {
  try {
    return await work(allowed);
  } catch (error) {
    if (!(error instanceof HarborError && error.code === 'file_missing')) throw error;
    throw new HarborError('file_missing', `${error.message}${await beside(allowed, most)}`);
  }
}

/** In the nearest folder above that is there. */
async function beside({ asked, real, rules }: Allowed, most: number): Promise<string> {
  const above = { asked: path.dirname(asked), real: path.dirname(real), rules };
  if (above.real === real || !decideFile(above.real, 'read', rules).allowed) return '';
  const found = await listFolder(above, most).catch(() => null);
  if (!found) return beside(above, most);
  const names = found.entries.map(({ name }) => name).filter((name) => !name.startsWith('.'));
  return names.length === 0 ? '' : ` ${above.asked} has ${namesNear(path.basename(real), names)}.`;
}

async function namesIn(folder: string, most: number): Promise<{ names: string[]; complete: boolean }> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    if (names.length === most) return { names, complete: false };
    names.push(name);
  }
  return { names, complete: true };
}

async function entryOf(file: string, { rules }: Allowed): Promise<Entry | null> {
  if (!decideFile(realPath(file), 'read', rules).allowed) return null;
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() && !found?.isDirectory()) return null;
  return { name: path.basename(file), type: found.isFile() ? 'file' : 'directory' };
}
