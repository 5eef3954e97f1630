/** The harbor behind the window: built when that is on the screen, because its code takes longer to load than the page. */
import { asFailure, HarborError } from './contract/errors';
import { PERSON } from './harbor/compose';
import { stopInTime } from './harbor/ending';
import { type Harbor, startHarbor } from './harbor/harbor';
import { hiddenStart } from './harbor/origin';
import type { DataFolder } from './host/data-folder';
import type { LocalMcp } from './host/local-mcp';
import { logForgottenFailures } from './host/log';
import type { Options } from './host/options';
import { places, VERSION } from './host/places';
import { RunningHarbor } from './host/running-harbor';
import { Desktop } from './shell/desktop';
import type { Entrance } from './shell/entrance';
import { quitAfter } from './shell/last-steps';
import { askTryAgain } from './shell/unreadable-settings';

/** Starts it and joins it to the window; false when the person gives up on settings that cannot be read.
 * @throws HarborError as `startHarbor` */
export async function startDesktop(
  options: Options,
  folder: DataFolder,
  entrance: Entrance,
): Promise<boolean> {
  const harbor = await startReadable(options, folder, entrance);
  if (harbor !== null) openDesktop(harbor, entrance, folder);
  return harbor !== null;
}

/** Settings that cannot be read are told in a dialog, and may be corrected; null when the person gives up. */
async function startReadable(
  options: Options,
  folder: DataFolder,
  { words }: Entrance,
): Promise<Harbor | null> {
  for (;;) {
    try {
      return await startHarbor({ ...options, kind: 'app', version: VERSION });
    } catch (error) {
      const { code, message } = asFailure(error);
      if (code !== 'config_unreadable' || options.hidden) throw error;
      process.stderr.write(`lisp-harbor: ${message}\n`);
      if (!(await askTryAgain(message, folder.settings, words))) return null;
    }
  }
}

function openDesktop(harbor: Harbor, entrance: Entrance, folder: DataFolder): void {
  const { project, log, http, events } = harbor.parts;
  logForgottenFailures(log);
  const desktop = new Desktop({
    services: {
      ...harbor.parts,
      swank: harbor.parts.ports.swank,
      person: PERSON,
      logFolder: harbor.parts.folder.log,
      converse: (client) => conversation(folder, client),
      rotateToken: (id) => harbor.rotateToken(id),
      revokeToken: (id) => harbor.revokeToken(id),
      status: () => harbor.status(),
      look: () => harbor.look(),
      listen: () => harbor.listenAnywhere(),
      project: () => project.folder,
      changeSettings: (change) => harbor.changeSettings(change),
      approveProject: (chosen) => harbor.approveProject(chosen),
    },
    entrance,
    icons: places.icons,
    log,
    hiddenStart: () => hiddenStart(folder),
    address: () => http.url,
  });
  events.on('changed', () => void desktop.harborChanged());
  events.on('show', (to) => desktop.show(to));
  events.on('stop', () => desktop.quit());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => desktop.quit());
  quitAfter(() => {
    desktop.destroy();
    return stopInTime(harbor).finally(() => desktop.installUpdate());
  });
}

/** By its own socket, as a program of this user comes. */
async function conversation(folder: DataFolder, client: string): Promise<LocalMcp> {
  const harbor = RunningHarbor.of(folder);
  if (harbor === null) throw new HarborError('internal', 'The harbor has no socket.');
  return harbor.mcp({ client });
}
