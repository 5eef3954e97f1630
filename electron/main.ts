/** Desktop entry: reads the command line, builds the harbor and hands it to the shell. */
import { app, dialog } from 'electron';
import { isToolCommand } from './command-line/calls/tool-commands';
import { SUBCOMMANDS } from './command-line/subcommands';
import { asFailure } from './contract/errors';
import { PERSON } from './harbor/compose';
import { exitCodeOf, stopInTime } from './harbor/ending';
import { type Harbor, startHarbor } from './harbor/harbor';
import { issueToken } from './harbor/issue-token';
import { commandLine } from './host/command-words';
import { type DataFolder, dataFolder } from './host/data-folder';
import { helped } from './host/help';
import { logForgottenFailures } from './host/log';
import { type Options, parseOptions } from './host/options';
import { places, VERSION } from './host/places';
import { RunningHarbor } from './host/running-harbor';
import { Desktop } from './shell/desktop';
import { registerAppScheme } from './shell/protocol';
import { askTakeOver } from './shell/take-over';
import { askTryAgain } from './shell/unreadable-settings';

async function main(): Promise<void> {
  if (process.argv.includes('--mcp-stdio')) {
    await import('./stdio');
    return app.exit(Number(process.exitCode ?? 0));
  }
  const [word] = commandLine(process);
  if (isToolCommand(word) || Object.hasOwn(SUBCOMMANDS, word ?? '')) {
    await import('./command-line');
    return app.exit(Number(process.exitCode ?? 0));
  }
  if (helped('start', commandLine(process))) return app.exit(0);
  registerAppScheme();
  const options = parseOptions(commandLine(process), process.env, true);
  await start(options).catch((error: unknown) => fail(error, options));
}

async function start(options: Options): Promise<void> {
  const folder = dataFolder(options.data);
  app.setName('Lisp Harbor');
  app.setPath('userData', folder.electron);
  if (options.issueToken !== undefined) {
    process.stdout.write(`${await issueToken(folder, options.issueToken)}\n`);
    return app.exit(0);
  }
  const running = RunningHarbor.of(folder);
  if (running && !(await mayGoOn(running, options))) return app.exit(0);
  const harbor = await startReadable(options, folder);
  if (harbor === null) return app.exit(1);
  logForgottenFailures(harbor.parts.log);
  await app.whenReady();
  openDesktop(harbor, options);
}

/** Settings that cannot be read are told in a window, where they may be corrected; null when the person gives up. */
async function startReadable(options: Options, folder: DataFolder): Promise<Harbor | null> {
  for (;;) {
    try {
      return await startHarbor({ ...options, kind: 'app', version: VERSION });
    } catch (error) {
      const { code, message } = asFailure(error);
      if (code !== 'config_unreadable' || options.hidden) throw error;
      process.stderr.write(`lisp-harbor: ${message}\n`);
      await app.whenReady();
      if (!(await askTryAgain(message, folder.settings))) return null;
    }
  }
}

/** An app that runs already comes to the front; a headless harbor is taken over if the person wants that. */
async function mayGoOn(running: RunningHarbor, { hidden }: Options): Promise<boolean> {
  if (hidden) return false;
  const summary = await running.summary();
  if (summary.kind === 'app') {
    await running.command('show');
    process.stderr.write('lisp-harbor: already running; its window is in front.\n');
    return false;
  }
  await app.whenReady();
  return (await askTakeOver(summary)) && running.stop();
}

function openDesktop(harbor: Harbor, options: Options): void {
  const { project, folder, log, http, events } = harbor.parts;
  const desktop = new Desktop({
    services: {
      ...harbor.parts,
      swank: harbor.parts.ports.swank,
      person: PERSON,
      revokeToken: (id) => harbor.revokeToken(id),
      status: () => harbor.status(),
      project: () => project.folder,
      changeSettings: (change) => harbor.changeSettings(change),
      approveProject: (chosen) => harbor.approveProject(chosen),
    },
    places,
    dataFolder: folder,
    log,
    address: () => http.url,
  });
  events.on('changed', () => void desktop.harborChanged());
  events.on('show', () => desktop.show());
  events.on('stop', () => desktop.quit());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => desktop.quit());
  quitCleanly(harbor, desktop);
  if (options.hidden) desktop.prepare();
  else desktop.show();
}

/** Quitting waits for the images to end and the history to close, but not for ever. */
function quitCleanly(harbor: Harbor, desktop: Desktop): void {
  app.once('will-quit', (event) => {
    event.preventDefault();
    desktop.destroy();
    void stopInTime(harbor).finally(() => app.exit());
  });
}

async function fail(error: unknown, started = { hidden: false }): Promise<void> {
  const { message } = asFailure(error);
  const exitCode = exitCodeOf(error, started);
  process.stderr.write(`lisp-harbor: ${message}\n`);
  // Whoever started it from a terminal has read it there.
  if (app.isPackaged && exitCode !== 0) {
    await app.whenReady();
    dialog.showErrorBox('Lisp Harbor cannot start', message);
  }
  app.exit(exitCode);
}

// Not awaited: Electron is ready only after this module has been evaluated.
void main().catch((error: unknown) => fail(error));
