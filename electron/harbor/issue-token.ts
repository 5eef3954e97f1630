/** `--issue-token NAME`: through the harbor that runs, else straight into the history of the data folder. */
import { Tokens } from '../access/tokens';
import { History } from '../history/history';
import type { DataFolder } from '../host/data-folder';
import { holdDataFolder } from '../host/lock';
import { makeDataFolder } from '../host/make-data-folder';
import { places } from '../host/places';
import { RunningHarbor } from '../host/running-harbor';

/** Answers the secret. An earlier token of that name no longer works.
 * @throws HarborError `data_folder_unusable`, `data_folder_in_use` */
export async function issueToken(folder: DataFolder, name: string): Promise<string> {
  const running = RunningHarbor.of(folder);
  if (running) return String(await running.command('issue-token', { name }));
  makeDataFolder(folder);
  const lock = holdDataFolder(folder, 'command');
  try {
    const history = new History(folder.history, places.searchWorker);
    const { token } = new Tokens(history.writer).issue(name, ['read', 'evaluate'], { replace: true });
    await history.close();
    return token;
  } finally {
    lock.release();
  }
}
