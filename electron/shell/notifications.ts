/** Notifications, the app badge, and the task bar entry of the window. */
import { app, type BrowserWindow, Notification } from 'electron';
import type { Need } from '../contract/approvals';
import type { Evaluation } from '../contract/model';
import type { NotificationSettings } from '../contract/settings';
import { visibleLine } from '../contract/visible-text';
import { system } from '../host/system';
import type { Words } from '../words/words';
import { querySessionBus } from './linux-desktop';

interface NotifierOptions {
  /** The window, or null. */
  window: () => BrowserWindow | null;
  /** Kinds of notification that are enabled. */
  wanted: () => NotificationSettings;
  /** Shows the window at a route hash. */
  go: (to: string) => void;
  words: () => Words;
}

export class Notifier {
  readonly #options: NotifierOptions;
  /** Notification by the key of its need; null if none was shown because the window had the focus. */
  readonly #shown = new Map<string, Promise<Notification | null>>();

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Shows notifications for new needs and closes those of finished ones. */
  update(needs: readonly Need[]): void {
    app.setBadgeCount(needs.length);
    const keys = new Set(needs.map(({ key }) => key));
    for (const [key, shown] of this.#shown) {
      if (keys.has(key)) continue;
      void shown.then((notification) => notification?.close());
      this.#shown.delete(key);
    }
    const fresh = needs.filter(({ key }) => !this.#shown.has(key));
    for (const need of fresh) {
      const notice = noticeOf(need, this.#options.words());
      this.#shown.set(need.key, notice ? this.notify(notice) : Promise.resolve(null));
    }
    if (fresh.length > 0 && !this.#isSeen) this.#options.window()?.flashFrame(true);
  }

  /** Shows a notification, unless the window has the focus or the setting is off. */
  async notify({ kind, title, body, to }: Notice): Promise<Notification | null> {
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
 * Reports whether a notification service answers. On Linux, Electron would block while it waits for one.
 * https://specifications.freedesktop.org/notification-spec/
 */
async function notificationsAreShown(): Promise<boolean> {
  if (!system.hasSessionBus) return Notification.isSupported();
  const request = { service: 'org.freedesktop.Notifications', method: 'GetServerInformation' };
  return (await querySessionBus(request)) !== null && Notification.isSupported();
}

/** Text of a notification and its target. */
interface Notice {
  /** The setting that disables it. */
  kind: keyof NotificationSettings;
  title: string;
  body: string;
  /** A route hash of the window. */
  to: string;
}

/** Maximum characters of a text in a notification. */
const LONGEST = 200;

/** Returns the notification of a need; null if it can wait. */
function noticeOf(need: Need, { notices, approvals }: Words): Notice | null {
  switch (need.kind) {
    case 'approval':
      return {
        kind: 'approvals',
        title: notices.waits(text(need.client)),
        body: notices.wants(approvals.wish(text(need.tool), need.wish)),
        to: '#/home',
      };
    case 'held':
      return {
        kind: 'heldErrors',
        title: notices.suspended(text(need.name), text(need.condition)),
        body: text(need.message),
        to: `#/sessions/${need.session}/debugger`,
      };
    case 'repository':
      return {
        kind: 'approvals',
        title: notices.repository(text(need.path)),
        body: notices.repositoryAbout,
        to: '#/home',
      };
    case 'places':
      return {
        kind: 'approvals',
        title: notices.places(need.count, text(need.project)),
        body: notices.placesAbout,
        to: '#/home',
      };
    case 'dropped':
      return {
        kind: 'droppedClients',
        title: notices.dropped(text(need.title)),
        body: notices.droppedAbout,
        to: '#/clients',
      };
    default:
      return null;
  }
}

/** Returns the notification of an evaluation that took longer than the soft limit; null if it was stopped. */
export function finishedNotice(
  { id, client, code, outcome, durationMs }: Evaluation,
  softLimitMs: number,
  { notices: { ended } }: Words,
) {
  if ((durationMs ?? 0) < softLimitMs || !(outcome in ended)) return null;
  return {
    kind: 'finishedJobs',
    title: ended[outcome as keyof typeof ended](id),
    body: `${text(client)}: ${text(code)}`,
    to: `#/history/${id}`,
  } satisfies Notice;
}

/** Converts a text to one line. */
function text(from: string): string {
  return visibleLine(from.trim().replace(/\s+/g, ' ').slice(0, LONGEST));
}

/** Some desktops interpret text in angle brackets as markup, including links and images. */
function unmarked(body: string): string {
  if (!system.hasSessionBus) return body;
  return body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
