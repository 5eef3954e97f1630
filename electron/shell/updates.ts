/**
 * App updates: finds, downloads and installs newer versions on the chosen channel, and notices versions that
 * a package manager installed. A version is never replaced while an evaluation runs. Afterwards sessions are
 * asleep, as after any start.
 */
import { EventEmitter } from 'node:events';
import type { AppUpdater } from 'electron-updater';
import { asFailure, HarborError } from '../contract/errors';
import type { UpdateChannel, UpdateView } from '../contract/harbor-status';
import { every } from '../host/listeners';
import type { Log } from '../host/log';

/** Interval between automatic checks. */
const PERIOD_MS = 24 * 60 * 60_000;

interface UpdatesOptions {
  /** null for a build without an update address. */
  source: (() => Promise<AppUpdater>) | null;
  /**
   * Reports the version that has replaced the running one on disk, as `followVersion` does. Returns a
   * function that stops it.
   */
  onDisk: (report: (other: string | null) => void) => () => void;
  channel: () => UpdateChannel;
  /** Returns the number of running evaluations. */
  running: () => number;
  /** Ends the app; `installNow` is called when the harbor has stopped. */
  quit: () => void;
  log: Log;
}

export class Updates extends EventEmitter<{ changed: [UpdateView] }> {
  readonly #options: UpdatesOptions;
  readonly #stopTimer: () => void;
  readonly #leaveDisk: () => void;
  #updater: AppUpdater | null = null;
  #view: UpdateView = { state: 'absent' };
  #channel: UpdateChannel | null = null;
  #ending = false;

  constructor(options: UpdatesOptions) {
    super();
    this.#options = options;
    this.#stopTimer = every(PERIOD_MS, () => void this.look());
    this.follow();
    this.#leaveDisk = options.onDisk((other) => this.#replacedBy(other));
  }

  get view(): UpdateView {
    return this.#view;
  }

  /** Checks again if the channel has changed, and continues a pending installation if no evaluation runs. */
  follow(): void {
    const channel = this.#options.channel();
    if (channel !== this.#channel) {
      this.#channel = channel;
      void this.look();
    }
    if (this.#view.state !== 'ready') return;
    const running = this.#options.running();
    if (running !== this.#view.running) this.#show({ ...this.#view, running });
    if (this.#view.wanted && running === 0) this.#end();
  }

  /** Checks for a newer version, unless one is being downloaded or is ready. */
  async look(): Promise<void> {
    const { source } = this.#options;
    if (source === null || this.#view.state === 'getting' || this.#view.state === 'ready') return;
    if (this.#channel === 'off') return this.#show({ state: 'off' });
    this.#show({ state: 'looking' });
    await this.#trying(async () => {
      const updater = await this.#updaterOf(source);
      const found = await updater.checkForUpdates();
      this.#setView(
        found?.isUpdateAvailable
          ? { state: 'found', version: found.updateInfo.version }
          : { state: 'current', at: Date.now() },
      );
    });
  }

  /** Downloads the version found. It is ready once its digest is verified. */
  get(): void {
    const updater = this.#updater;
    if (this.#view.state !== 'found' || updater === null) throw this.#notNow();
    const { version } = this.#view;
    this.#show({ state: 'getting', version, percent: 0 });
    void this.#trying(async () => {
      await updater.downloadUpdate();
      this.#setView(this.#ready(version, false));
    });
  }

  /** Schedules or cancels the installation of the downloaded version. It waits while evaluations run. */
  install(wanted: boolean): void {
    if (this.#view.state !== 'ready') throw this.#notNow();
    this.#show({ ...this.#view, wanted });
    this.follow();
  }

  /**
   * Installs the pending version. Call last, after the harbor has stopped. Returns whether the app must
   * restart itself.
   */
  installNow(): boolean {
    if (!this.#ending) return false;
    if (this.#isReplaced) return true;
    if (this.#updater === null) return false;
    let failed = false;
    this.#updater.once('error', () => {
      failed = true;
    });
    this.#updater.quitAndInstall(true, true);
    return failed;
  }

  stop(): void {
    this.#stopTimer();
    this.#leaveDisk();
  }

  get #isReplaced(): boolean {
    return this.#view.state === 'ready' && this.#view.installed;
  }

  /** A version that is already installed on disk takes precedence over a download. */
  #replacedBy(other: string | null): void {
    if (other !== null) this.#show(this.#ready(other, true));
    else if (this.#isReplaced) {
      this.#show({ state: 'absent' });
      void this.look();
    }
  }

  #ready(version: string, installed: boolean): UpdateView {
    const wanted = this.#view.state === 'ready' && this.#view.wanted;
    return { state: 'ready', version, installed, wanted, running: this.#options.running() };
  }

  #end(): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#options.quit();
  }

  async #updaterOf(source: () => Promise<AppUpdater>): Promise<AppUpdater> {
    const updater = this.#updater ?? (await source());
    if (this.#updater === null) {
      updater.logger = this.#options.log;
      updater.on('download-progress', ({ percent }) => this.#progress(Math.floor(percent)));
      this.#updater = updater;
    }
    updater.channel = this.#channel === 'beta' ? 'beta' : 'latest';
    // Setting a channel enables downgrades.
    updater.allowDowngrade = false;
    return updater;
  }

  #progress(percent: number): void {
    if (this.#view.state === 'getting' && percent !== this.#view.percent)
      this.#show({ ...this.#view, percent });
  }

  async #trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#setView({ state: 'failed', reason: firstLine(asFailure(error).message) });
    }
  }

  #notNow(): HarborError {
    return new HarborError('bad_arguments', `No version is ready to install: ${this.#view.state}.`);
  }

  /** Applies the result of a request, which may arrive late. */
  #setView(view: UpdateView): void {
    if (!this.#isReplaced) this.#show(view);
  }

  #show(view: UpdateView): void {
    this.#view = view;
    this.emit('changed', view);
  }
}

/** The remaining lines are in the log. */
function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 300) ?? '';
}

/**
 * Returns the arguments for a restart: the same, but visible, because the user requested it in the window.
 * @param argv with the program itself
 */
export function restartArguments(argv: readonly string[]): string[] {
  return argv.slice(1).filter((word) => word !== '--hidden');
}
