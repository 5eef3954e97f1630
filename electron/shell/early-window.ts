/**
 * The window before the harbor is ready. It opens at once, and calls of its page wait until the harbor can
 * answer.
 */

import { app, ipcMain, session, shell } from 'electron';
import { CALL_CHANNEL } from '../contract/channels';
import type { CallName, Reply } from '../contract/contract';
import type { MenuCommand } from '../contract/harbor-calls';
import type { LanguageChoice, Theme } from '../contract/option-values';
import { type Language, languageOf } from '../words/language';
import { type Words, wordsOf } from '../words/words';
import { type MenuActions, setApplicationMenu } from './menu';
import type { CallingFrame } from './origin';
import { guardNavigation, guardPermissions, serveBundle } from './page-protocol';
import { applyTheme, MainWindow, type WindowKeeper } from './window';
import { WindowEvents } from './window-events';
import { WindowStateFile } from './window-state';

export interface EarlyWindowOptions {
  places: { renderer: string; preload: string; icons: string };
  dataFolder: { root: string; electron: string };
  theme: Theme;
  language: LanguageChoice;
}

/** Answers a call of the page. Loads with the harbor, because its schemas take longer to load than the page. */
export type Answer = (call: unknown, frame: CallingFrame | null, raw: unknown) => Promise<Reply<unknown>>;

/** The part that the harbor provides: the answers to calls, and the decision about closing. */
export interface Host {
  answer: Answer;
  keeper: WindowKeeper;
}

export class EarlyWindow {
  readonly window: MainWindow;
  readonly events: WindowEvents;
  readonly #menu: MenuActions;
  #commands: readonly MenuCommand[] = [];
  #language: Language;
  readonly #answering = Promise.withResolvers<Answer>();

  /** Call once, after the app is ready. */
  constructor({ places, dataFolder, theme, language }: EarlyWindowOptions) {
    guardNavigation();
    guardPermissions(session.defaultSession);
    serveBundle(places.renderer);
    applyTheme(theme);
    this.#language = languageOf(language, app.getLocale());
    this.window = new MainWindow({
      preload: places.preload,
      icon: `${places.icons}/icon.png`,
      language: () => this.#language,
      stateFile: new WindowStateFile(`${dataFolder.electron}/window.json`),
    });
    this.#menu = {
      showWindow: () => this.window.show(),
      openDataFolder: () => void shell.openPath(dataFolder.root),
      run: (id) => this.events.send('window:run', { id }),
    };
    // Runs while Chromium starts the renderer process, which has priority.
    setImmediate(() => this.#setMenu());
    this.events = new WindowEvents(() => this.window.current());
    registerCalls(this.#answering.promise, this.events);
  }

  /** Shows the page's commands in the application menu. */
  showCommands(commands: readonly MenuCommand[]): void {
    this.#commands = commands;
    this.#setMenu();
  }

  /** Words of menus, tray, notifications and dialogs. */
  get words(): Words {
    return wordsOf(this.#language);
  }

  /** Changes their language. The page follows the settings itself. */
  setLanguage(choice: LanguageChoice): void {
    const language = languageOf(choice, app.getLocale());
    if (language === this.#language) return;
    this.#language = language;
    this.#setMenu();
  }

  #setMenu(): void {
    setApplicationMenu(this.words, this.#menu, this.#commands);
  }

  /** Starts answering calls, including those that wait. */
  serve({ answer, keeper }: Host): void {
    this.window.setKeeper(keeper);
    this.#answering.resolve(answer);
  }
}

/**
 * Answers the calls of the page. Calls that arrive before the harbor is ready wait for it. Events that precede an answer reach
 * the page before the answer, so a page can take a snapshot and then follow events.
 */
function registerCalls(answering: Promise<Answer>, events: WindowEvents): void {
  ipcMain.handle(CALL_CHANNEL, async (event, call: unknown, raw: unknown) => {
    // Read before the wait: the frame is null once it is closed.
    const { senderFrame } = event;
    const answer = await answering;
    const reply = await answer(call, senderFrame, raw);
    // This call confirms shown output, which is sent at the pace of the page, so nothing is flushed.
    if (call !== ('output:taken' satisfies CallName)) events.flush();
    return reply;
  });
}
