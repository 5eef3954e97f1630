/** Desktop entry: parses the command line and opens the window, then loads the harbor. */

import { readFileSync } from 'node:fs';
import { app, dialog } from 'electron';
import { asFailure } from './contract/errors';
import { LANGUAGE_CHOICES, type LanguageChoice, THEMES, type Theme } from './contract/option-values';
import { exitCodeOf } from './harbor/shutdown';
import { isAppLink, routeOfLink } from './host/app-link';
import { commandLine } from './host/command-line';
import { cacheCompiledCode } from './host/compiled-code';
import { type DataFolder, dataFolder } from './host/data-folder';
import { lockOwner } from './host/lock-owner';
import { type Options, parseOptions, printHelpIfRequested } from './host/options';
import { paths } from './host/paths';
import type { RunningHarbor } from './host/running-harbor';
import { EarlyWindow } from './shell/early-window';
import { registerAppScheme } from './shell/page-protocol';
import { promptTakeOver } from './shell/take-over';
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
  if (printHelpIfRequested('start', commandLine(process))) return app.exit(0);
  const options = parseOptions(commandLine(process), process.env, true);
  const to = commandLine(process).find(isAppLink);
  await start(options, (to && routeOfLink(to)) ?? undefined).catch((error: unknown) => fail(error, options));
}

/** Reports whether a word is a command. Options are not looked up, so that most starts load no command. */
async function isCommand(word: string): Promise<boolean> {
  if (word.startsWith('-')) return false;
  const [{ isToolCommand }, { SUBCOMMANDS }] = await Promise.all([
    import('./command-line/calls/tool-commands'),
    import('./command-line/run-command'),
  ]);
  return isToolCommand(word) || Object.hasOwn(SUBCOMMANDS, word);
}

/** @param to hash of a route in the window */
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
  cacheCompiledCode(folder);
  await app.whenReady();
  const earlyWindow = new EarlyWindow({ places: paths, dataFolder: folder, theme, language });
  // Loaded last, because loading the harbor would delay the window.
  if (!options.hidden) await earlyWindow.window.open(to);
  const { startDesktop } = await import('./app');
  if (!(await startDesktop(options, folder, earlyWindow))) app.exit(1);
}

/** Returns the harbor that owns the data folder. Most starts find none and do not load the code for it. */
async function runningOn(folder: DataFolder): Promise<RunningHarbor | null> {
  if (lockOwner(folder.lock) === null) return null;
  const harbors = await import('./host/running-harbor');
  return harbors.RunningHarbor.of(folder);
}

/**
 * Reports whether this start continues. A running app shows its window instead; a headless harbor is replaced
 * if the user agrees.
 */
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
  return (await promptTakeOver(summary, wordsIn(language))) && running.stop();
}

/** Called after the app is ready, because the system’s language is unknown before. */
function wordsIn(choice: LanguageChoice): Words {
  return wordsOf(languageOf(choice, app.getLocale()));
}

async function fail(error: unknown, started = { hidden: false }): Promise<void> {
  const failure = asFailure(error);
  const exitCode = exitCodeOf(error, started);
  process.stderr.write(`lisp-harbor: ${failure.message}\n`);
  // A start from a terminal has printed the error there.
  if (app.isPackaged && exitCode !== 0) {
    await app.whenReady();
    const { dialogs, failures } = wordsIn('system');
    dialog.showErrorBox(dialogs.cannotStart, failures.text(failure));
  }
  app.exit(exitCode);
}

// Not awaited: Electron becomes ready only after this module is evaluated.
void main().catch((error: unknown) => fail(error));

/**
 * Reads the theme and language for the first window from the settings file. Missing or invalid values mean
 * the system’s.
 */
function settingsAtStart(settingsFile: string): { theme: Theme; language: LanguageChoice } {
  const { theme, language } = read(settingsFile);
  return {
    theme: THEMES.find((each) => each === theme) ?? 'system',
    language: LANGUAGE_CHOICES.find((each) => each === language) ?? 'system',
  };
}

function read(file: string): { theme?: unknown; language?: unknown } {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8'))) as { theme?: unknown; language?: unknown };
  } catch {
    return {};
  }
}
