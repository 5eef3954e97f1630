/**
 * Starts the harbor behind the window. It is loaded after the window is shown, because loading it takes
 * longer than the page.
 */
import { asFailure, HarborError } from './contract/errors';
import { PERSON } from './harbor/compose';
import { hiddenStart } from './harbor/compose-connect';
import { type Harbor, startHarbor } from './harbor/harbor';
import { stopInTime } from './harbor/shutdown';
import type { DataFolder } from './host/data-folder';
import type { LocalMcp } from './host/local-mcp';
import { logForgottenFailures } from './host/log';
import type { Options } from './host/options';
import { paths, VERSION } from './host/paths';
import { RunningHarbor } from './host/running-harbor';
import { delayQuitting } from './shell/app-lifecycle';
import { Desktop } from './shell/desktop';
import { promptTryAgain } from './shell/dialogs';
import type { EarlyWindow } from './shell/early-window';

/**
 * Starts the harbor and connects it to the window. Resolves with false if the user cancels because of
 * unreadable settings.
 * @throws HarborError as `startHarbor`
 */
export async function startDesktop(
  options: Options,
  folder: DataFolder,
  earlyWindow: EarlyWindow,
): Promise<boolean> {
  const harbor = await startReadable(options, folder, earlyWindow);
  if (harbor !== null) openDesktop(harbor, earlyWindow, folder);
  return harbor !== null;
}

/**
 * Starts the harbor. Unreadable settings are shown in a dialog and can be corrected; null if the user
 * cancels.
 */
async function startReadable(
  options: Options,
  folder: DataFolder,
  { words }: EarlyWindow,
): Promise<Harbor | null> {
  for (;;) {
    try {
      return await startHarbor({ ...options, kind: 'app', version: VERSION });
    } catch (error) {
      const { code, message } = asFailure(error);
      if (code !== 'config_unreadable' || options.hidden) throw error;
      process.stderr.write(`lisp-harbor: ${message}\n`);
      if (!(await promptTryAgain(message, folder.settings, words))) return null;
    }
  }
}

function openDesktop(harbor: Harbor, earlyWindow: EarlyWindow, folder: DataFolder): void {
  const { project, log, http, events } = harbor.parts;
  logForgottenFailures(log);
  const desktop = new Desktop({
    services: {
      ...harbor.parts,
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
    earlyWindow,
    icons: paths.icons,
    log,
    hiddenStart: () => hiddenStart(folder),
    address: () => http.url,
  });
  events.on('changed', () => void desktop.harborChanged());
  events.on('show', (to) => desktop.show(to));
  events.on('stop', () => desktop.quit());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => desktop.quit());
  delayQuitting(() => {
    desktop.destroy();
    return stopInTime(harbor).finally(() => desktop.installUpdate());
  });
}

/** Opens an MCP conversation through the local socket, as any program of this user. */
async function conversation(folder: DataFolder, client: string): Promise<LocalMcp> {
  const harbor = RunningHarbor.of(folder);
  if (harbor === null) throw new HarborError('internal', 'The harbor has no socket.');
  return harbor.mcp({ client });
}
