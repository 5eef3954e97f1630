/**
 * Other versions of the app: looked for on the channel that a person chose, fetched and installed when they say so; or put in
 * the place of this one by a package manager. None takes over while an evaluation runs. Sessions are asleep afterwards, as at
 * any start.
 */
import { EventEmitter } from 'node:events';
import type { AppUpdater } from 'electron-updater';
import { asFailure, HarborError } from '../contract/errors';
import type { UpdateChannel, UpdateView } from '../contract/updates';
import type { Log } from '../host/log';

/** Between two looks by itself. */
const PERIOD_MS = 24 * 60 * 60_000;

export interface UpdatesOptions {
  /** null for a copy that was built without an address for updates. */
  source: (() => Promise<AppUpdater>) | null;
  /** Tells which other version lies in the place of this one, as `followVersion` does; answers how to end that. */
  onDisk: (tell: (other: string | null) => void) => () => void;
  channel: () => UpdateChannel;
  /** How many evaluations are running. */
  running: () => number;
  /** Ends the app; `installNow` is called when the harbor has stopped. */
  quit: () => void;
  log: Log;
}

export class Updates extends EventEmitter<{ changed: [UpdateView] }> {
  readonly #options: UpdatesOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #leaveDisk: () => void;
  #updater: AppUpdater | null = null;
  #view: UpdateView = { state: 'absent' };
  #channel: UpdateChannel | null = null;
  #ending = false;

  constructor(options: UpdatesOptions) {
    super();
    this.#options = options;
    this.#timer = setInterval(() => void this.look(), PERIOD_MS);
    this.#timer.unref();
    this.follow();
    this.#leaveDisk = options.onDisk((other) => this.#replacedBy(other));
  }

  get view(): UpdateView {
    return this.#view;
  }

  /** Looks anew where a person has chosen another channel, and goes on where nothing runs any more. */
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

  /** Asks whether there is a newer version. What is being fetched, or is here, is left alone. */
  async look(): Promise<void> {
    const { source } = this.#options;
    if (source === null || this.#view.state === 'getting' || this.#view.state === 'ready') return;
    if (this.#channel === 'off') return this.#show({ state: 'off' });
    this.#show({ state: 'looking' });
    await this.#trying(async () => {
      const updater = await this.#updaterOf(source);
      const found = await updater.checkForUpdates();
      this.#tell(
        found?.isUpdateAvailable
          ? { state: 'found', version: found.updateInfo.version }
          : { state: 'current', at: Date.now() },
      );
    });
  }

  /** Fetches the version that was found; it is here once its digest is what was announced. */
  get(): void {
    const updater = this.#updater;
    if (this.#view.state !== 'found' || updater === null) throw this.#notNow();
    const { version } = this.#view;
    this.#show({ state: 'getting', version, percent: 0 });
    void this.#trying(async () => {
      await updater.downloadUpdate();
      this.#tell(this.#ready(version, false));
    });
  }

  /** Has what is here take over, or takes that back; while evaluations run it waits for them. */
  install(wanted: boolean): void {
    if (this.#view.state !== 'ready') throw this.#notNow();
    this.#show({ ...this.#view, wanted });
    this.follow();
  }

  /** To be called last of all, when the harbor has stopped; answers whether the app has to start itself again. */
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
    clearInterval(this.#timer);
    this.#leaveDisk();
  }

  get #isReplaced(): boolean {
    return this.#view.state === 'ready' && this.#view.installed;
  }

  /** What lies in the place of this version, whoever put it there, goes before all that could be fetched. */
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
    // Choosing a channel allows it.
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
      this.#tell({ state: 'failed', reason: firstLine(asFailure(error).message) });
    }
  }

  #notNow(): HarborError {
    return new HarborError('bad_arguments', `No other version is waiting for that: ${this.#view.state}.`);
  }

  /** What came of asking a server, which may come late. */
  #tell(view: UpdateView): void {
    if (!this.#isReplaced) this.#show(view);
  }

  #show(view: UpdateView): void {
    this.#view = view;
    this.emit('changed', view);
  }
}

/** What follows is for the log, which has it. */
function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 300) ?? '';
}
