/** Desktop entry: reads the command line and opens the window. The harbor comes behind it. */
import { app, dialog } from 'electron';
import type { LanguageChoice } from './contract/appearance';
import { asFailure } from './contract/errors';
import { exitCodeOf } from './harbor/ending';
import { isAppLink, routeOfLink } from './host/app-link';
import { commandLine } from './host/command-words';
import { keepCompiledCode } from './host/compiled-code';
import { type DataFolder, dataFolder } from './host/data-folder';
import { helped } from './host/help';
import { lockHolder } from './host/lock-holder';
import { type Options, parseOptions } from './host/options';
import { places } from './host/places';
import type { RunningHarbor } from './host/running-harbor';
import { settingsAtStart } from './host/settings-at-start';
import { Entrance } from './shell/entrance';
import { registerAppScheme } from './shell/protocol';
import { askTakeOver } from './shell/take-over';
import { languageOf } from './words/language';
import { type Words, wordsOf } from './words/words';

async function main(): Promise<void> {
  registerAppScheme();
  if (process.argv.includes('--mcp-stdio')) {
    await import('./stdio');
    return app.exit(Number(process.exitCode ?? 0));
  }
  const [word] = commandLine(process);
  if (word !== undefined && (await isCommand(word))) {
    await import('./command-line');
    return app.exit(Number(process.exitCode ?? 0));
  }
  if (helped('start', commandLine(process))) return app.exit(0);
  const options = parseOptions(commandLine(process), process.env, true);
  const to = commandLine(process).find(isAppLink);
  await start(options, (to && routeOfLink(to)) ?? undefined).catch((error: unknown) => fail(error, options));
}

/** Not asked about options, so that most starts load no command. */
async function isCommand(word: string): Promise<boolean> {
  if (word.startsWith('-')) return false;
  const [{ isToolCommand }, { SUBCOMMANDS }] = await Promise.all([
    import('./command-line/calls/tool-commands'),
    import('./command-line/subcommands'),
  ]);
  return isToolCommand(word) || Object.hasOwn(SUBCOMMANDS, word);
}

/** @param to a hash of the window's route */
async function start(options: Options, to?: string): Promise<void> {
  const folder = dataFolder(options.data);
  app.setName('Lisp Harbor');
  app.setPath('userData', folder.electron);
  if (options.issueToken !== undefined) {
    const { issueToken } = await import('./harbor/issue-token');
    process.stdout.write(`${await issueToken(folder, options.issueToken)}\n`);
    return app.exit(0);
  }
  const running = await runningOn(folder);
  const { theme, language } = settingsAtStart(folder.settings);
  if (running && !(await mayGoOn(running, options, language, to))) return app.exit(0);
  keepCompiledCode(folder);
  await app.whenReady();
  const entrance = new Entrance({ places, dataFolder: folder, theme, language });
  // The rest is loaded only now: its code would hold up the window.
  if (!options.hidden) await entrance.window.open(to);
  const { startDesktop } = await import('./app');
  if (!(await startDesktop(options, folder, entrance))) app.exit(1);
}

/** The harbor that holds the folder: most starts find none, and load nothing of how to speak with it. */
async function runningOn(folder: DataFolder): Promise<RunningHarbor | null> {
  if (lockHolder(folder.lock) === null) return null;
  const harbors = await import('./host/running-harbor');
  return harbors.RunningHarbor.of(folder);
}

/** An app that runs already comes to the front; a headless harbor is taken over if the person wants that. */
async function mayGoOn(
  running: RunningHarbor,
  { hidden }: Options,
  language: LanguageChoice,
  to?: string,
): Promise<boolean> {
  if (hidden) return false;
  const summary = await running.summary();
  if (summary.kind === 'app') {
    await running.command('show', { to });
    process.stderr.write('lisp-harbor: already running; its window is in front.\n');
    return false;
  }
  await app.whenReady();
  return (await askTakeOver(summary, wordsIn(language))) && running.stop();
}

/** Only once the app is ready does it know the system's language. */
function wordsIn(choice: LanguageChoice): Words {
  return wordsOf(languageOf(choice, app.getLocale()));
}

async function fail(error: unknown, started = { hidden: false }): Promise<void> {
  const failure = asFailure(error);
  const exitCode = exitCodeOf(error, started);
  process.stderr.write(`lisp-harbor: ${failure.message}\n`);
  // Whoever started it from a terminal has read it there.
  if (app.isPackaged && exitCode !== 0) {
    await app.whenReady();
    const { dialogs, failures } = wordsIn('system');
    dialog.showErrorBox(dialogs.cannotStart, failures.told(failure));
  }
  app.exit(exitCode);
}

// Not awaited: Electron is ready only after this module has been evaluated.
void main().catch((error: unknown) => fail(error));
