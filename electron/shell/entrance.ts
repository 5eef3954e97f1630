/**
 * The window as a person meets it, before the harbor is there: it opens at once, and what its page asks waits until the
 * harbor can answer.
 */
import { app, session, shell } from 'electron';
import type { LanguageChoice, Theme } from '../contract/appearance';
import type { MenuCommand } from '../contract/commands';
import { type Language, languageOf } from '../words/language';
import { type Words, wordsOf } from '../words/words';
import { type Answer, registerCalls, WindowEvents } from './ipc';
import { type MenuActions, setApplicationMenu } from './menu';
import { serveBundle } from './protocol';
import { guardNavigation, guardPermissions } from './web-guards';
import { applyTheme, MainWindow, type WindowKeeper } from './window';
import { WindowStateFile } from './window-state-file';

export interface EntranceOptions {
  places: { renderer: string; preload: string; icons: string };
  dataFolder: { root: string; electron: string };
  theme: Theme;
  language: LanguageChoice;
}

/** What the harbor brings: who answers, and who decides about closing. */
export interface Host {
  answer: Answer;
  keeper: WindowKeeper;
}

export class Entrance {
  readonly window: MainWindow;
  readonly events: WindowEvents;
  readonly #menu: MenuActions;
  #commands: readonly MenuCommand[] = [];
  #language: Language;
  readonly #answering = Promise.withResolvers<Answer>();

  /** Call once, when the app is ready. */
  constructor({ places, dataFolder, theme, language }: EntranceOptions) {
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
    // While Chromium starts a process for the window, which is made first.
    setImmediate(() => this.#setMenu());
    this.events = new WindowEvents(() => this.window.current());
    registerCalls(this.#answering.promise, this.events);
  }

  /** Puts the page's commands into the application menu. */
  showCommands(commands: readonly MenuCommand[]): void {
    this.#commands = commands;
    this.#setMenu();
  }

  /** The texts of menus, tray, notifications and dialogs. */
  get words(): Words {
    return wordsOf(this.#language);
  }

  /** Changes the language of all of them but the page, which follows the settings by itself. */
  speak(choice: LanguageChoice): void {
    const language = languageOf(choice, app.getLocale());
    if (language === this.#language) return;
    this.#language = language;
    this.#setMenu();
  }

  #setMenu(): void {
    setApplicationMenu(this.words, this.#menu, this.#commands);
  }

  /** Answers what the page has asked meanwhile, and all that it will ask. */
  serve({ answer, keeper }: Host): void {
    this.window.keptBy(keeper);
    this.#answering.resolve(answer);
  }
}
