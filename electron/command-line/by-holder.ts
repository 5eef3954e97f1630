/** What the holder of a data folder does: the harbor that runs, else this command for as long as it takes. */
import { setTimeout as delay } from 'node:timers/promises';
import { HarborNeeded } from '../connect/harbor-side';
import { HarborError } from '../contract/errors';
import { reachHarbor } from '../host/harbor-reach';
import { reachOptions } from '../host/hidden-start';
import { holdDataFolder, type Lock } from '../host/lock';
import { makeDataFolder } from '../host/make-data-folder';
import { RunningHarbor } from '../host/running-harbor';
import type { CommandDependencies } from './subcommand';

const PAUSE_MS = 50;
const LIMIT_MS = 60_000;

type Asked = Pick<CommandDependencies, 'folder' | 'options'>;

interface Ways<T> {
  running(harbor: RunningHarbor): Promise<T>;
  /** With the data folder held. @throws HarborNeeded where that is not enough: then one is started, hidden, as clients do */
  alone(): Promise<T>;
}

/**
 * Another command that holds the folder is waited for.
 * @throws HarborError `data_folder_in_use` where one holds it for a minute, `data_folder_unusable`, and as the ways
 */
export async function byHolder<T>(asked: Asked, { running, alone }: Ways<T>): Promise<T> {
  const { folder } = asked;
  const began = Date.now();
  for (;;) {
    const harbor = RunningHarbor.of(folder);
    if (harbor) return running(harbor);
    const lock = tryLock(asked, Date.now() - began > LIMIT_MS);
    if (lock === null) {
      await delay(PAUSE_MS);
      continue;
    }
    try {
      return await alone();
    } catch (error) {
      if (!(error instanceof HarborNeeded)) throw error;
    } finally {
      lock.release();
    }
    await startHarbor(asked);
  }
}

/** null: somebody holds it, who may be done in a moment. */
function tryLock({ folder }: Asked, isLast: boolean): Lock | null {
  makeDataFolder(folder);
  try {
    return holdDataFolder(folder, 'command');
  } catch (error) {
    if (!isLast && error instanceof HarborError && error.code === 'data_folder_in_use') return null;
    throw error;
  }
}

/** Resolves when it answers. */
async function startHarbor({ folder, options }: Asked): Promise<void> {
  const { signal } = new AbortController();
  const reach = { needed: () => true, patienceMs: 0, signal };
  const socket = await reachHarbor(reachOptions(folder, options), reach);
  socket.destroy();
}
