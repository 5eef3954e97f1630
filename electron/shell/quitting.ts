/**
 * Quitting. The user is asked if something would be lost, and can write it to files first. A signal or a
 * request over the socket ends the harbor without a question.
 */
import { app, BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { asFailure } from '../contract/errors';
import type { SessionChanges } from '../sessions/changes/session-changes';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import type { Words } from '../words/words';
import { trayIsShown } from './linux-desktop';
import {
  isExportable,
  type QuitAnswer,
  type QuitQuestion,
  type QuitReason,
  quitQuestion,
  type UnsavedWork,
  unsavedWorkOf,
} from './quit-question';

export interface QuittingOptions {
  sessions: Sessions;
  changes: Pick<SessionChanges, 'unsaved'>;
  /** Whether sessions are restored at the next start. */
  comeBack: () => boolean;
  /** Whether the harbor continues without its window. */
  keepRunning: () => boolean;
  /** Parent window of dialogs. */
  window: () => BrowserWindow | null;
  /** Returns null if the user cancels. @throws HarborError with the reason why nothing was written */
  exportSession: (session: Session) => Promise<unknown>;
  /** Called when the user does not quit. There may be no window. */
  stay: () => void;
  words: () => Words;
}

export class Quitting {
  readonly #options: QuittingOptions;
  #decided = false;
  #asking = false;

  constructor(options: QuittingOptions) {
    this.#options = options;
    app.on('before-quit', (event) => {
      if (this.#decided || options.sessions.load.sessions === 0) {
        this.#decided = true;
        return;
      }
      event.preventDefault();
      void this.#quit();
    });
  }

  /** Reports whether the app is about to end. */
  get decided(): boolean {
    return this.#decided;
  }

  /**
   * Ends the app without a question and without waiting for a window to close, because Electron does nothing
   * else while it waits.
   */
  now(): void {
    this.#decided = true;
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    app.quit();
  }

  /**
   * Decides whether the window may close. The harbor continues without it if the setting is on and there is a
   * tray. Otherwise closing it quits, with a question if that ends sessions.
   */
  async mayCloseWindow(): Promise<boolean> {
    if (await this.goesOn()) return true;
    if (this.#options.sessions.load.sessions > 0 && !(await this.#ask('close'))) return false;
    this.#decided = true;
    return true;
  }

  /** Reports whether the harbor continues without a window. */
  async goesOn(): Promise<boolean> {
    return !this.#decided && this.#options.keepRunning() && (await trayIsShown());
  }

  async #quit(): Promise<void> {
    if (await this.#ask('quit')) return this.now();
    if (!(await trayIsShown())) this.#options.stay();
  }

  /** Asks whether to quit. Returns true if the user agrees and requested exports are written. */
  async #ask(reason: QuitReason): Promise<boolean> {
    if (this.#asking) return false;
    this.#asking = true;
    try {
      const { sessions, changes, comeBack, words } = this.#options;
      const unsavedWork = await unsavedWorkOf(sessions.all, changes);
      if (unsavedWork.length === 0 && reason === 'quit') return true;
      const answer = await this.#show(
        quitQuestion(reason, { ...sessions.load, comeBack: comeBack() }, unsavedWork, words()),
      );
      return answer === 'export' ? await this.#exportAll(unsavedWork) : answer === 'quit';
    } finally {
      this.#asking = false;
    }
  }

  async #show({ message, detail, buttons }: QuitQuestion): Promise<QuitAnswer> {
    const { response } = await this.#messageBox({
      type: 'question',
      message,
      detail,
      buttons: buttons.map(({ label }) => label),
      defaultId: 0,
      cancelId: buttons.length - 1,
      noLink: true,
    });
    return buttons[response]?.answer ?? 'stay';
  }

  /** Exports one session after the other. Returns false if the user cancels one or one cannot be written. */
  async #exportAll(unsavedWork: readonly UnsavedWork[]): Promise<boolean> {
    for (const { session: id, name } of unsavedWork.filter(isExportable)) {
      const session = this.#options.sessions.get(id);
      if (!session) continue;
      try {
        if ((await this.#options.exportSession(session)) === null) return false;
      } catch (error) {
        const { dialogs, failures } = this.#options.words();
        const detail = failures.text(asFailure(error));
        await this.#messageBox({ type: 'error', message: dialogs.notExported(name), detail });
        return false;
      }
    }
    return true;
  }

  #messageBox(options: MessageBoxOptions) {
    const window = this.#options.window();
    return window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options);
  }
}
