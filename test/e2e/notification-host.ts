/**
 * What shows notifications on a desktop, without a screen: owns the name on the session bus, so that a test reads what the app
 * tells a person, and presses it. https://specifications.freedesktop.org/notification-spec/
 */
import dbus, { type MessageBus } from 'dbus-next';

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';

export interface ShownNotification {
  id: number;
  title: string;
  body: string;
}

class Daemon extends dbus.interface.Interface {
  shown: ShownNotification[] = [];
  hangs = false;
  #last = 0;

  Notify(_app: string, replaces: number, _icon: string, title: string, body: string): number {
    const id = replaces || ++this.#last;
    this.shown = [...this.shown.filter((other) => other.id !== id), { id, title, body }];
    return id;
  }
  CloseNotification(id: number): void {
    this.shown = this.shown.filter((other) => other.id !== id);
    this.NotificationClosed(id, 3);
  }
  GetCapabilities(): string[] {
    return ['body', 'actions'];
  }
  GetServerInformation(): string[] | Promise<never> {
    if (this.hangs) return new Promise(() => undefined);
    return ['stand-in', 'lisp-harbor', '1', '1.2'];
  }
  NotificationClosed(id: number, reason: number): number[] {
    return [id, reason];
  }
  ActionInvoked(id: number, action: string): (number | string)[] {
    return [id, action];
  }
}

Daemon.configureMembers({
  methods: {
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    CloseNotification: { inSignature: 'u', outSignature: '' },
    GetCapabilities: { inSignature: '', outSignature: 'as' },
    GetServerInformation: { inSignature: '', outSignature: 'ssss' },
  },
  signals: {
    NotificationClosed: { signature: 'uu' },
    ActionInvoked: { signature: 'us' },
  },
});

export class NotificationHost {
  readonly #bus: MessageBus;
  readonly #daemon: Daemon;

  private constructor(bus: MessageBus, daemon: Daemon) {
    this.#bus = bus;
    this.#daemon = daemon;
  }

  /** Needs a session bus of the test's own: the name can be owned once. */
  static async start(): Promise<NotificationHost> {
    const bus = dbus.sessionBus();
    const daemon = new Daemon(NAME);
    bus.export(PATH, daemon);
    await bus.requestName(NAME, 0);
    return new NotificationHost(bus, daemon);
  }

  /** Those on the screen, the oldest first. */
  get shown(): readonly ShownNotification[] {
    return this.#daemon.shown;
  }

  /** Presses the notification whose title this is part of, which closes it. */
  press(title: string): void {
    const pressed = this.shown.find((each) => each.title.includes(title));
    if (!pressed) throw new Error(`No notification says ${title}.`);
    this.#daemon.ActionInvoked(pressed.id, 'default');
    this.#daemon.CloseNotification(pressed.id);
  }

  /** Keeps its name on the bus, and answers nobody from now on who asks whether it is there. */
  hang(): void {
    this.#daemon.hangs = true;
  }

  stop(): void {
    this.#bus.disconnect();
  }
}
