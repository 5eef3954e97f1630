/** The harbor on a desktop: its window, tray and menus, joined to the services that they show. */
import { app, clipboard, session, shell } from 'electron';
import type { CallName } from '../contract/channels';
import type { Log } from '../host/log';
import { chooseFolder, chooseProject } from './choose-project';
import { exportSession, type SaveText } from './export-session';
import { forwardEvents } from './forward-events';
import { registerCalls, WindowEvents } from './ipc';
import { setApplicationMenu } from './menu';
import { serveBundle } from './protocol';
import { Quitting } from './quitting';
import { saveText } from './save-text';
import { HarborTray } from './tray';
import { trayIsShown } from './tray-host';
import type { TrayState } from './tray-items';
import { guardNavigation, guardPermissions } from './web-guards';
import { applyTheme, MainWindow } from './window';
import { windowCalls } from './window-calls';
import type { WindowServices } from './window-services';
import { WindowStateFile } from './window-state-file';

export interface DesktopOptions {
  services: Omit<WindowServices, 'chooseProject' | 'chooseFolder' | 'saveText' | 'openLink'>;
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
  readonly #quitting: Quitting;

  /** Call when the app is ready. */
  constructor(options: DesktopOptions) {
    this.#options = options;
    const { services, places, dataFolder } = options;
    guardNavigation();
    guardPermissions(session.defaultSession);
    serveBundle(places.renderer);
    applyTheme(services.settings.current.theme);
    this.#window = this.#makeWindow();
    this.#quitting = this.#makeQuitting();
    this.#events = new WindowEvents(() => this.#window.current());
    this.#serveWindow();
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

  /** Tells the window and the tray that the harbor's status has changed, and follows the theme. */
  async harborChanged(): Promise<void> {
    const { status, settings } = this.#options.services;
    applyTheme(settings.current.theme);
    this.#updateTray();
    this.#events.send('harbor:changed', await status());
  }

  /** Ends the app without asking anybody. */
  quit(): void {
    this.#quitting.now();
  }

  destroy(): void {
    this.#tray.destroy();
  }

  #makeWindow(): MainWindow {
    const { places, dataFolder } = this.#options;
    return new MainWindow({
      preload: places.preload,
      icon: `${places.icons}/icon.png`,
      stateFile: new WindowStateFile(`${dataFolder.electron}/window.json`),
      mayClose: () => this.#quitting.mayCloseWindow(),
      quitting: () => this.#quitting.decided,
    });
  }

  #makeQuitting(): Quitting {
    const { sessions, history, settings } = this.#options.services;
    return new Quitting({
      sessions,
      comeBack: () => settings.current.sessionsComeBack,
      window: () => this.#window.onScreen(),
      exportSession: (ending) => exportSession(ending, history.evaluations, this.#saveText),
      stay: () => this.show(),
    });
  }

  #serveWindow(): void {
    const { services, log } = this.#options;
    const handlers = windowCalls({
      ...services,
      chooseProject: () => this.#chooseProject(),
      chooseFolder: () => chooseFolder(this.#window.current(), services.project()),
      saveText: this.#saveText,
      openLink: (address) => shell.openExternal(address),
    });
    const report = (call: CallName, error: unknown) => log.error(`The window's call ${call} failed`, error);
    registerCalls({ handlers, report }, this.#events);
    forwardEvents(services, (event, payload) => this.#events.send(event, payload));
  }

  readonly #saveText: SaveText = (question, saved) => saveText(this.#window.onScreen(), question, saved);

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
