/**
 * The window as a person meets it, before the harbor is there: it opens at once, and what its page asks waits until the
 * harbor can answer.
 */
import { session, shell } from 'electron';
import type { MenuCommand } from '../contract/commands';
import type { Theme } from '../contract/settings';
import type { Answering } from './answer';
import { registerCalls, WindowEvents } from './ipc';
import { type MenuActions, setApplicationMenu } from './menu';
import { serveBundle } from './protocol';
import { guardNavigation, guardPermissions } from './web-guards';
import { applyTheme, MainWindow, type WindowKeeper } from './window';
import { WindowStateFile } from './window-state-file';

export interface EntranceOptions {
  places: { renderer: string; preload: string; icons: string };
  dataFolder: { root: string; electron: string };
  theme: Theme;
}

/** What the harbor brings: who answers, and who decides about closing. */
export interface Host {
  answering: Pick<Answering, 'handlers' | 'report'>;
  keeper: WindowKeeper;
}

export class Entrance {
  readonly window: MainWindow;
  readonly events: WindowEvents;
  readonly #menu: MenuActions;
  readonly #answering = Promise.withResolvers<Host['answering']>();

  /** Call once, when the app is ready. */
  constructor({ places, dataFolder, theme }: EntranceOptions) {
    guardNavigation();
    guardPermissions(session.defaultSession);
    serveBundle(places.renderer);
    applyTheme(theme);
    this.window = new MainWindow({
      preload: places.preload,
      icon: `${places.icons}/icon.png`,
      stateFile: new WindowStateFile(`${dataFolder.electron}/window.json`),
    });
    this.#menu = {
      showWindow: () => this.window.show(),
      openDataFolder: () => void shell.openPath(dataFolder.root),
      run: (id) => this.events.send('window:run', { id }),
    };
    setApplicationMenu(this.#menu);
    this.events = new WindowEvents(() => this.window.current());
    registerCalls(this.#answering.promise, this.events);
  }

  /** Puts the page's commands into the application menu. */
  showCommands(commands: readonly MenuCommand[]): void {
    setApplicationMenu(this.#menu, commands);
  }

  /** Answers what the page has asked meanwhile, and all that it will ask. */
  serve({ answering, keeper }: Host): void {
    this.window.keptBy(keeper);
    this.#answering.resolve(answering);
  }
}
