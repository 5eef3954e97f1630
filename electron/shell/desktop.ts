/** The harbor on a desktop: its window, tray and menus, joined to the services that they show. */
import { app, clipboard, shell } from 'electron';
import type { CallName } from '../contract/channels';
import { HarborError } from '../contract/errors';
import { routeOfLink } from '../host/app-link';
import type { Log } from '../host/log';
import { followInstalled } from '../host/version-on-disk';
import type { Words } from '../words/words';
import { answerCall } from './answer';
import { chooseFolder, chooseProject } from './choose-project';
import type { Entrance } from './entrance';
import { exportSession, type SaveText } from './export-session';
import { forwardEvents } from './forward-events';
import { setLoginItem } from './login-item';
import { Needs } from './needs';
import { finishedNotice } from './notices';
import { Notifier } from './notifier';
import { Quitting } from './quitting';
import { saveText } from './save-text';
import { wordsAgain } from './start-again';
import { HarborTray } from './tray';
import type { TrayState } from './tray-items';
import { updateSource } from './update-source';
import { Updates } from './updates';
import { applyTheme } from './window';
import { windowCalls } from './window-calls';
import type { WindowServices } from './window-services';

export interface DesktopOptions {
  services: Omit<
    WindowServices,
    | 'chooseProject'
    | 'chooseFolder'
    | 'saveText'
    | 'needs'
    | 'updates'
    | 'showCommands'
    | 'openFolder'
    | 'openLink'
    | 'output'
  >;
  /** The window, which may be open already. */
  entrance: Entrance;
  /** Absolute path of the folder with the icons. */
  icons: string;
  log: Log;
  /** The words of a command that starts the app without its window. */
  hiddenStart: () => readonly string[];
  /** The MCP endpoint's address, or null while it does not listen. */
  address: () => string | null;
}

export class Desktop {
  readonly #options: DesktopOptions;
  readonly #tray: HarborTray;
  readonly #quitting: Quitting;
  readonly #needs: Needs;
  readonly #notifier: Notifier;
  readonly #updates: Updates;

  /** Call when the app is ready. */
  constructor(options: DesktopOptions) {
    this.#options = options;
    const { services } = options;
    applyTheme(services.settings.current.theme);
    options.entrance.speak(services.settings.current.language);
    this.#quitting = this.#makeQuitting();
    this.#needs = new Needs(services);
    this.#notifier = this.#makeNotifier();
    this.#updates = this.#makeUpdates();
    this.#serveWindow();
    this.#tray = this.#makeTray();
    services.sessions.events.on('changed', () => this.#loadChanged()).on('ended', () => this.#loadChanged());
    services.approvals.on('changed', () => this.#updateTray());
    this.#needs.on('changed', () => this.#tellNeeds());
    app.on('activate', () => this.show());
    // How macOS tells of a link.
    app.on('open-url', (_event, link) => this.show(routeOfLink(link) ?? undefined));
    app.on('window-all-closed', () => void this.#quitWithoutWindow());
    this.#followLogin();
  }

  /** Shows the window, at a hash of its route where one is given. */
  show(to?: string): void {
    if (to === undefined) this.#options.entrance.window.show();
    else this.#go(to);
  }

  /** Tells the window and the tray that the harbor's status has changed, and follows theme and language. */
  async harborChanged(): Promise<void> {
    const { status, settings } = this.#options.services;
    applyTheme(settings.current.theme);
    this.#options.entrance.speak(settings.current.language);
    this.#followLogin();
    this.#loadChanged();
    this.#options.entrance.events.send('harbor:changed', await status());
  }

  /** Ends the app without asking anybody. */
  quit(): void {
    this.#quitting.now();
  }

  /** Has another version take over, if a person wants that; to be called when the harbor has stopped. */
  installUpdate(): void {
    if (this.#updates.installNow()) app.relaunch({ args: wordsAgain(process.argv) });
  }

  destroy(): void {
    this.#updates.stop();
    this.#needs.stop();
    this.#tray.destroy();
  }

  get #words(): Words {
    return this.#options.entrance.words;
  }

  #makeQuitting(): Quitting {
    const { sessions, history, settings } = this.#options.services;
    return new Quitting({
      sessions,
      comeBack: () => settings.current.sessionsComeBack,
      keepRunning: () => settings.current.keepRunning,
      window: () => this.#options.entrance.window.onScreen(),
      exportSession: (ending) => exportSession(ending, history.evaluations, this.#saveText),
      stay: () => this.show(),
      words: () => this.#words,
    });
  }

  #serveWindow(): void {
    const { services, log, entrance } = this.#options;
    const handlers = windowCalls({
      ...services,
      needs: this.#needs,
      updates: this.#updates,
      output: entrance.events,
      showCommands: (commands) => entrance.showCommands(commands),
      chooseProject: () => this.#chooseProject(),
      chooseFolder: () =>
        chooseFolder(this.#options.entrance.window.current(), services.project(), this.#words),
      saveText: this.#saveText,
      openLink: (address) => shell.openExternal(address),
      openFolder,
    });
    const report = (call: CallName, error: unknown) => log.error(`The window's call ${call} failed`, error);
    // Listens first, so that nothing happens between the first answer and the first event.
    forwardEvents({ ...services, needs: this.#needs, updates: this.#updates }, (event, payload) =>
      entrance.events.send(event, payload),
    );
    const answering = { handlers, report, texts: entrance.events.texts, words: () => this.#words };
    entrance.serve({
      answer: (call, frame, raw) => answerCall(answering, call, frame, raw),
      keeper: this.#quitting,
    });
  }

  readonly #saveText: SaveText = (ask, saved) =>
    saveText(this.#options.entrance.window.onScreen(), ask, saved, this.#words);

  /** Has the app started at login, or not, as the settings say. */
  #followLogin(): void {
    const { services, hiddenStart, log } = this.#options;
    try {
      setLoginItem(services.settings.current.startAtLogin, hiddenStart);
    } catch (error) {
      log.error('Starting at login could not be changed', error);
    }
  }

  /** With a tray the harbor may go on without a window; without one nobody could bring it back. */
  async #quitWithoutWindow(): Promise<void> {
    if (!(await this.#quitting.goesOn())) app.quit();
  }

  #makeTray(): HarborTray {
    const { approvals } = this.#options.services;
    const actions = {
      show: () => this.show(),
      'show-needs': () => this.#go('#/home'),
      pause: () => approvals.pause(true),
      'go-on': () => approvals.pause(false),
      'copy-address': () => clipboard.writeText(this.#options.address() ?? ''),
      quit: () => app.quit(),
    };
    return new HarborTray({ icons: this.#options.icons, actions }, this.#trayState(), this.#words);
  }

  /** There may be more or fewer sessions, or evaluations of them. */
  #loadChanged(): void {
    this.#updateTray();
    this.#updates.follow();
  }

  #updateTray(): void {
    this.#tray.update(this.#trayState(), this.#words);
  }

  #trayState(): TrayState {
    const { sessions, approvals } = this.#options.services;
    const needs = this.#needs.view.needs.length;
    return { address: this.#options.address(), ...sessions.load, needs, paused: approvals.isPaused };
  }

  #makeUpdates(): Updates {
    const { settings, sessions } = this.#options.services;
    return new Updates({
      source: updateSource(),
      onDisk: followInstalled,
      channel: () => settings.current.updates,
      running: () => sessions.load.running,
      quit: () => this.quit(),
      log: this.#options.log,
    });
  }

  #makeNotifier(): Notifier {
    const { settings, sessions } = this.#options.services;
    const notifier = new Notifier({
      window: () => this.#options.entrance.window.current(),
      wanted: () => settings.current.callsFor,
      go: (to) => this.#go(to),
      words: () => this.#words,
    });
    sessions.events.on('closed', (row) => {
      const notice = finishedNotice(row, settings.current.softLimitMs, this.#words);
      if (notice) void notifier.tell(notice);
    });
    return notifier;
  }

  #tellNeeds(): void {
    this.#updateTray();
    this.#notifier.update(this.#needs.view.needs);
  }

  /** Shows the window at a hash of its route. */
  #go(to: string): void {
    const { window, events } = this.#options.entrance;
    if (window.current() === null) window.show(to);
    else {
      events.send('window:go', { to });
      window.show();
    }
  }

  #chooseProject(): Promise<string | null> {
    return chooseProject(
      this.#options.entrance.window.current(),
      this.#options.services.project(),
      this.#words,
    );
  }
}

async function openFolder(folder: string): Promise<void> {
  const problem = await shell.openPath(folder);
  if (problem !== '') throw new HarborError('internal', `${folder} could not be shown: ${problem}`);
}
