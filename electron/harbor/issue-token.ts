/**
 * `--issue-token NAME`: issues a token through the running harbor, or directly in the history database if
 * none runs.
 */
import { Tokens } from '../access/tokens';
import { History } from '../history/history';
import { type DataFolder, makeDataFolder } from '../host/data-folder';
import { acquireDataFolderLock } from '../host/lock';

import { paths } from '../host/paths';
import { RunningHarbor } from '../host/running-harbor';

/**
 * Returns the token. An earlier token of the same name is revoked.
 * @throws HarborError `data_folder_unusable`, `data_folder_in_use`
 */
export async function issueToken(folder: DataFolder, name: string): Promise<string> {
  const running = RunningHarbor.of(folder);
  if (running) return String(await running.command('issue-token', { name }));
  makeDataFolder(folder);
  const lock = acquireDataFolderLock(folder, 'command');
  try {
    const history = new History(folder.history, paths.searchWorker);
    const { token } = new Tokens(history.writer).issue(name, ['read', 'evaluate'], { replace: true });
    await history.close();
    return token;
  } finally {
    lock.release();
  }
}
