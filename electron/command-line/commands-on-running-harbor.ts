/** Runs commands in the running harbor, or without one. */
import { setTimeout as delay } from 'node:timers/promises';
import { HarborNeeded } from '../connect/harbor-services';
import { HarborError } from '../contract/errors';
import { makeDataFolder } from '../host/data-folder';
import { reachHarbor } from '../host/harbor-reach';
import { reachOptions } from '../host/hidden-start';
import { acquireDataFolderLock, type Lock } from '../host/lock';
import { RunningHarbor } from '../host/running-harbor';
import type { CommandDependencies } from './command-list';

const PAUSE_MS = 50;
const LIMIT_MS = 60_000;

type CommandContext = Pick<CommandDependencies, 'folder' | 'options'>;

interface Ways<T> {
  running(harbor: RunningHarbor): Promise<T>;
  /**
   * Runs while this process owns the data folder lock. @throws HarborNeeded if a harbor is required; then one
   * is started hidden
   */
  alone(): Promise<T>;
}

/**
 * Runs a command in the running harbor, or in this process while it owns the data folder lock. Waits for
 * another command that owns it.
 * @throws HarborError `data_folder_in_use` after a minute, `data_folder_unusable`, and as the two functions
 */
export async function commandsOnRunningHarbor<T>(
  context: CommandContext,
  { running, alone }: Ways<T>,
): Promise<T> {
  const { folder } = context;
  const began = Date.now();
  for (;;) {
    const harbor = RunningHarbor.of(folder);
    if (harbor) return running(harbor);
    const lock = tryLock(context, Date.now() - began > LIMIT_MS);
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
    await startHarbor(context);
  }
}

/** Returns null if another process owns the lock, which may be released soon. */
function tryLock({ folder }: CommandContext, isLast: boolean): Lock | null {
  makeDataFolder(folder);
  try {
    return acquireDataFolderLock(folder, 'command');
  } catch (error) {
    if (!isLast && error instanceof HarborError && error.code === 'data_folder_in_use') return null;
    throw error;
  }
}

/** Starts a hidden harbor. Resolves when it answers. */
async function startHarbor({ folder, options }: CommandContext): Promise<void> {
  (await reachHarbor(reachOptions(folder, options))).destroy();
}
