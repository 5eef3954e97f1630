/**
 * How the app ends. A person who quits is asked when something would be lost, and can have it written to files first. A
 * signal or the socket ends the harbor without a question.
 */
import { app, BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { asFailure } from '../contract/errors';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import type { Words } from '../words/words';
import {
  isExportable,
  type QuitAnswer,
  type QuitQuestion,
  type QuitReason,
  quitQuestion,
  type UnsavedWork,
} from './quit-question';
import { trayIsShown } from './tray-host';
import { unsavedWorkOf } from './unsaved-work';

export interface QuittingOptions {
  sessions: Sessions;
  /** Whether a person wants the sessions back at the next start. */
  comeBack: () => boolean;
  /** Whether a person wants the harbor to go on without its window. */
  keepRunning: () => boolean;
  /** The window that dialogs belong to. */
  window: () => BrowserWindow | null;
  /** Answers null when the person cancelled. @throws HarborError with why nothing was written */
  exportSession: (session: Session) => Promise<unknown>;
  /** Called when the person stays; there may be no window then. */
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

  /** Whether the app is about to end, whatever its window says. */
  get decided(): boolean {
    return this.#decided;
  }

  /** Ends the app without a question, and without waiting for a window to close: Electron would do nothing else meanwhile. */
  now(): void {
    this.#decided = true;
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    app.quit();
  }

  /**
   * Whether a person may close the window. With a tray the harbor goes on without it, if the person wants that. Without one
   * nobody could bring it back: closing it quits, and the person is asked if that ends sessions.
   */
  async mayCloseWindow(): Promise<boolean> {
    if (await this.goesOn()) return true;
    if (this.#options.sessions.load.sessions > 0 && !(await this.#ask('close'))) return false;
    this.#decided = true;
    return true;
  }

  /** Whether the harbor goes on when there is no window. */
  async goesOn(): Promise<boolean> {
    return !this.#decided && this.#options.keepRunning() && (await trayIsShown());
  }

  async #quit(): Promise<void> {
    if (await this.#ask('quit')) return this.now();
    if (!(await trayIsShown())) this.#options.stay();
  }

  /** Whether to quit: the person wants it, and what they wanted to export is written. */
  async #ask(reason: QuitReason): Promise<boolean> {
    if (this.#asking) return false;
    this.#asking = true;
    try {
      const { sessions, comeBack, words } = this.#options;
      const unsavedWork = await unsavedWorkOf(sessions.all);
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

  /** One file after the other; false when the person cancelled one, or one could not be written. */
  async #exportAll(unsavedWork: readonly UnsavedWork[]): Promise<boolean> {
    for (const { session: id, name } of unsavedWork.filter(isExportable)) {
      const session = this.#options.sessions.get(id);
      if (!session) continue;
      try {
        if ((await this.#options.exportSession(session)) === null) return false;
      } catch (error) {
        const { dialogs, failures } = this.#options.words();
        const detail = failures.told(asFailure(error));
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
