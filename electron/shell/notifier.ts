/** Calls a person who does not look at the window: notifications, the badge, the window's entry in the task bar. */
import { app, type BrowserWindow, Notification } from 'electron';
import type { Need } from '../contract/needs';
import type { CallsFor } from '../contract/settings';
import type { Words } from '../words/words';
import { type Notice, noticeOf, unmarked } from './notices';
import { askSessionBus } from './session-bus';

export interface NotifierOptions {
  /** The window while there is one. */
  window: () => BrowserWindow | null;
  /** What a person wants to be called for. */
  wanted: () => CallsFor;
  /** Shows the window at a hash of its route. */
  go: (to: string) => void;
  words: () => Words;
}

export class Notifier {
  readonly #options: NotifierOptions;
  /** By the key of its need; null for a need that was not told, because somebody looked. */
  readonly #told = new Map<string, Promise<Notification | null>>();

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Tells of the needs that are new, and no longer of those that are gone. */
  update(needs: readonly Need[]): void {
    app.setBadgeCount(needs.length);
    const keys = new Set(needs.map(({ key }) => key));
    for (const [key, shown] of this.#told) {
      if (keys.has(key)) continue;
      void shown.then((notification) => notification?.close());
      this.#told.delete(key);
    }
    const fresh = needs.filter(({ key }) => !this.#told.has(key));
    for (const need of fresh) {
      const notice = noticeOf(need, this.#options.words());
      this.#told.set(need.key, notice ? this.tell(notice) : Promise.resolve(null));
    }
    if (fresh.length > 0 && !this.#isSeen) this.#options.window()?.flashFrame(true);
  }

  /** Shows a notification, unless somebody looks at the window or does not want it. */
  async tell({ kind, title, body, to }: Notice): Promise<Notification | null> {
    if (this.#isSeen || !this.#options.wanted()[kind] || !(await notificationsAreShown())) return null;
    const shown = new Notification({ title, body: unmarked(body) });
    shown.on('click', () => this.#options.go(to));
    shown.show();
    return shown;
  }

  get #isSeen(): boolean {
    return this.#options.window()?.isFocused() ?? false;
  }
}

/**
 * Whether something here shows notifications, and answers: on Linux Electron would wait for it and do nothing else.
 * https://specifications.freedesktop.org/notification-spec/
 */
async function notificationsAreShown(): Promise<boolean> {
  if (process.platform !== 'linux') return Notification.isSupported();
  const asked = { service: 'org.freedesktop.Notifications', method: 'GetServerInformation' };
  return (await askSessionBus(asked)) !== null && Notification.isSupported();
}
