/** The harbor on a desktop: its window, tray and menus, joined to the services that they show. */
import { app, clipboard, session, shell } from 'electron';
import type { Log } from '../log';
import { forwardEvents, type WindowServices, windowCalls } from './calls';
import { chooseProject } from './choose-project';
import { mayCloseWindow } from './closing';
import { guardNavigation, guardPermissions } from './guards';
import { registerCalls, WindowEvents } from './ipc';
import { setApplicationMenu } from './menu';
import { serveBundle } from './protocol';
import { saveText } from './save-text';
import { applyTheme } from './theme';
import { HarborTray } from './tray';
import { trayIsShown } from './tray-host';
import type { TrayState } from './tray-items';
import { MainWindow } from './window';
import { WindowMemory } from './window-memory';

export interface DesktopOptions {
  services: Omit<WindowServices, 'chooseProject' | 'saveText'>;
  places: { renderer: string; preload: string; icons: string };
  dataFolder: { root: string; electron: string };
  log: Log;
  /** The MCP endpoint's address, or null while it does not listen. */
  address: () => string | null;
}

export class Desktop {
  readonly #options: DesktopOptions;
  readonly #window: MainWindow;
  readonly #events: WindowEvents;
  readonly #tray: HarborTray;

  /** Call when the app is ready. */
  constructor(options: DesktopOptions) {
    this.#options = options;
    const { services, places, dataFolder, log } = options;
    guardNavigation();
    guardPermissions(session.defaultSession);
    serveBundle(places.renderer);
    applyTheme(services.readSettings().theme);
    this.#window = new MainWindow({
      preload: places.preload,
      icon: `${places.icons}/icon.png`,
      memory: new WindowMemory(`${dataFolder.electron}/window.json`),
      mayClose: (window) => mayCloseWindow(window, () => services.sessions.load),
    });
    this.#events = new WindowEvents(() => this.#window.current());
    const handlers = windowCalls({
      ...services,
      chooseProject: () => this.#chooseProject(),
      saveText: (suggested, text) => saveText(this.#window.current(), suggested, text),
    });
    registerCalls(handlers, this.#events, (call, error) =>
      log.error(`The window's call ${call} failed`, error),
    );
    forwardEvents(services, (event, payload) => this.#events.send(event, payload));
    this.#tray = this.#makeTray();
    services.sessions.events.on('changed', () => this.#updateTray()).on('ended', () => this.#updateTray());
    setApplicationMenu({
      showWindow: () => this.show(),
      openDataFolder: () => void shell.openPath(dataFolder.root),
    });
    app.on('activate', () => this.show());
    app.on('window-all-closed', () => void quitWithoutTray());
  }

  show(): void {
    this.#window.show();
  }

  /** Makes the window without showing it. */
  prepare(): void {
    this.#window.prepare();
  }

  /** Tells the window that the harbor's status is another now, and follows the theme. */
  async harborChanged(): Promise<void> {
    const { status, readSettings } = this.#options.services;
    applyTheme(readSettings().theme);
    this.#updateTray();
    this.#events.send('harbor:changed', await status());
  }

  destroy(): void {
    this.#tray.destroy();
  }

  #makeTray(): HarborTray {
    const actions = {
      show: () => this.show(),
      'copy-address': () => clipboard.writeText(this.#options.address() ?? ''),
      quit: () => app.quit(),
    };
    return new HarborTray({ icons: this.#options.places.icons, actions }, this.#trayState());
  }

  #updateTray(): void {
    this.#tray.update(this.#trayState());
  }

  #trayState(): TrayState {
    return { address: this.#options.address(), ...this.#options.services.sessions.load };
  }

  #chooseProject(): Promise<string | null> {
    return chooseProject(this.#window.current(), this.#options.services.project());
  }
}

/** With a tray the harbor goes on without a window; without one nobody could bring it back. */
async function quitWithoutTray(): Promise<void> {
  if (!(await trayIsShown())) app.quit();
}
