/** The desktop app: connects window, tray and menus to the harbor's services. */
import { app, clipboard, shell } from 'electron';
import type { CallName } from '../contract/contract';
import { HarborError } from '../contract/errors';
import { routeOfLink } from '../host/app-link';
import type { Log } from '../host/log';
import { followInstalled } from '../host/paths';
import type { Words } from '../words/words';
import { answerCall } from './answer';
import { setLoginItem, updateSource } from './app-lifecycle';
import { chooseFolder, chooseProject, saveText } from './dialogs';
import type { EarlyWindow } from './early-window';
import { exportSession, type SaveText } from './export-session';
import { forwardEvents } from './forward-events';
import { Needs } from './needs';
import { finishedNotice, Notifier } from './notifications';
import { Quitting } from './quitting';
import { HarborTray } from './tray';
import type { TrayState } from './tray-items';
import { restartArguments, Updates } from './updates';
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
  /** The window, which may already be open. */
  earlyWindow: EarlyWindow;
  /** Absolute path of the icon folder. */
  icons: string;
  log: Log;
  /** Command line that starts the app hidden. */
  hiddenStart: () => readonly string[];
  /** URL of the MCP endpoint; null while it does not listen. */
  address: () => string | null;
}

export class Desktop {
  readonly #options: DesktopOptions;
  readonly #tray: HarborTray;
  readonly #quitting: Quitting;
  readonly #needs: Needs;
  readonly #notifier: Notifier;
  readonly #updates: Updates;

  /** Call after the app is ready. */
  constructor(options: DesktopOptions) {
    this.#options = options;
    const { services } = options;
    applyTheme(services.settings.current.theme);
    options.earlyWindow.setLanguage(services.settings.current.language);
    this.#quitting = this.#makeQuitting();
    this.#needs = new Needs(services);
    this.#notifier = this.#makeNotifier();
    this.#updates = this.#makeUpdates();
    this.#serveWindow();
    this.#tray = this.#makeTray();
    services.sessions.events.on('changed', () => this.#loadChanged()).on('ended', () => this.#loadChanged());
    services.approvals.on('changed', () => this.#updateTray());
    this.#needs.on('changed', () => this.#notifyNeeds());
    app.on('activate', () => this.show());
    // macOS sends links by this event.
    app.on('open-url', (_event, link) => this.show(routeOfLink(link) ?? undefined));
    app.on('window-all-closed', () => void this.#quitWithoutWindow());
    this.#followLogin();
  }

  /** Shows the window, at a route hash if given. */
  show(to?: string): void {
    if (to === undefined) this.#options.earlyWindow.window.show();
    else this.#go(to);
  }

  /** Updates window and tray after a change of the harbor's status, and applies theme and language. */
  async harborChanged(): Promise<void> {
    const { status, settings } = this.#options.services;
    applyTheme(settings.current.theme);
    this.#options.earlyWindow.setLanguage(settings.current.language);
    this.#followLogin();
    this.#loadChanged();
    this.#options.earlyWindow.events.send('harbor:changed', await status());
  }

  /** Quits without a question. */
  quit(): void {
    this.#quitting.now();
  }

  /** Installs a pending update if the user chose to. Call after the harbor has stopped. */
  installUpdate(): void {
    if (this.#updates.installNow()) app.relaunch({ args: restartArguments(process.argv) });
  }

  destroy(): void {
    this.#updates.stop();
    this.#needs.stop();
    this.#tray.destroy();
  }

  get #words(): Words {
    return this.#options.earlyWindow.words;
  }

  #makeQuitting(): Quitting {
    const { sessions, changes, history, settings } = this.#options.services;
    return new Quitting({
      sessions,
      changes,
      comeBack: () => settings.current.sessionsComeBack,
      keepRunning: () => settings.current.keepRunning,
      window: () => this.#options.earlyWindow.window.onScreen(),
      exportSession: (ending) => exportSession(ending, history.evaluations, this.#saveText),
      stay: () => this.show(),
      words: () => this.#words,
    });
  }

  #serveWindow(): void {
    const { services, log, earlyWindow } = this.#options;
    const handlers = windowCalls({
      ...services,
      needs: this.#needs,
      updates: this.#updates,
      output: earlyWindow.events,
      showCommands: (commands) => earlyWindow.showCommands(commands),
      chooseProject: () => this.#chooseProject(),
      chooseFolder: () =>
        chooseFolder(this.#options.earlyWindow.window.current(), services.project(), this.#words),
      saveText: this.#saveText,
      openLink: (address) => shell.openExternal(address),
      openFolder,
    });
    const report = (call: CallName, error: unknown) => log.error(`The window's call ${call} failed`, error);
    // Subscribes first, so that no event is missed between the first answer and the first event.
    forwardEvents({ ...services, needs: this.#needs, updates: this.#updates }, (event, payload) =>
      earlyWindow.events.send(event, payload),
    );
    const answering = { handlers, report, texts: earlyWindow.events.texts, words: () => this.#words };
    earlyWindow.serve({
      answer: (call, frame, raw) => answerCall(answering, call, frame, raw),
      keeper: this.#quitting,
    });
  }

  readonly #saveText: SaveText = (ask, saved) =>
    saveText(this.#options.earlyWindow.window.onScreen(), ask, saved, this.#words);

  /** Adds or removes the login item, as the settings say. */
  #followLogin(): void {
    const { services, hiddenStart, log } = this.#options;
    try {
      setLoginItem(services.settings.current.startAtLogin, hiddenStart);
    } catch (error) {
      log.error('Starting at login could not be changed', error);
    }
  }

  /** The harbor continues without a window only if there is a tray to bring it back. */
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

  /** Called when the number of sessions or evaluations may have changed. */
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
      window: () => this.#options.earlyWindow.window.current(),
      wanted: () => settings.current.callsFor,
      go: (to) => this.#go(to),
      words: () => this.#words,
    });
    sessions.events.on('closed', (row) => {
      const notice = finishedNotice(row, settings.current.softLimitMs, this.#words);
      if (notice) void notifier.notify(notice);
    });
    return notifier;
  }

  #notifyNeeds(): void {
    this.#updateTray();
    this.#notifier.update(this.#needs.view.needs);
  }

  /** Shows the window at a route hash. */
  #go(to: string): void {
    const { window, events } = this.#options.earlyWindow;
    if (window.current() === null) window.show(to);
    else {
      events.send('window:go', { to });
      window.show();
    }
  }

  #chooseProject(): Promise<string | null> {
    return chooseProject(
      this.#options.earlyWindow.window.current(),
      this.#options.services.project(),
      this.#words,
    );
  }
}

async function openFolder(folder: string): Promise<void> {
  const problem = await shell.openPath(folder);
  if (problem !== '') throw new HarborError('internal', `${folder} could not be shown: ${problem}`);
}
