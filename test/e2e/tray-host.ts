/**
 * A tray without a screen: owns the StatusNotifierWatcher name on the session bus, so that the app registers its
 * icon here, and lets a test read the icon's menu and press its entries.
 * https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/
 */
import { EventEmitter, once } from 'node:events';
import dbus, { type Message, type MessageBus, type Variant } from 'dbus-next';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const MENU = 'com.canonical.dbusmenu';

class Watcher extends dbus.interface.Interface {
  readonly registered: string[] = [];
  readonly arrivals = new EventEmitter();

  get RegisteredStatusNotifierItems(): string[] {
    return this.registered;
  }
  get IsStatusNotifierHostRegistered(): boolean {
    return true;
  }
  get ProtocolVersion(): number {
    return 0;
  }
  RegisterStatusNotifierItem(service: string): void {
    this.registered.push(service);
    this.arrivals.emit('icon');
  }
}

Watcher.configureMembers({
  properties: {
    RegisteredStatusNotifierItems: { signature: 'as', access: 'read' },
    IsStatusNotifierHostRegistered: { signature: 'b', access: 'read' },
    ProtocolVersion: { signature: 'i', access: 'read' },
  },
  methods: { RegisterStatusNotifierItem: { inSignature: 's', outSignature: '' } },
});

export interface TrayEntry {
  id: number;
  label: string;
  enabled: boolean;
}

export class TrayHost {
  readonly #bus: MessageBus;
  readonly #watcher: Watcher;

  private constructor(bus: MessageBus, watcher: Watcher) {
    this.#bus = bus;
    this.#watcher = watcher;
  }

  /**
   * Needs a session bus of the test's own: the name can be owned once.
   * @param busAddress of that one; without it the one of the environment
   */
  static async start(busAddress?: string): Promise<TrayHost> {
    const bus = dbus.sessionBus(busAddress === undefined ? {} : { busAddress });
    const watcher = new Watcher(WATCHER);
    bus.export('/StatusNotifierWatcher', watcher);
    await bus.requestName(WATCHER, 0);
    return new TrayHost(bus, watcher);
  }

  /** How many icons are in the tray. */
  get icons(): number {
    return this.#watcher.registered.length;
  }

  /** Width of the icon's picture in pixels; 0 while it has none. */
  async iconWidth(): Promise<number> {
    const [picture] = (await this.#property('IconPixmap')) as [number, number, Buffer][];
    return picture?.[0] ?? 0;
  }

  /** The lines of the menu, separators left out. */
  async entries(): Promise<TrayEntry[]> {
    const [, [, , children]] = (await this.#menu('GetLayout', 'iias', [0, -1, []])) as [
      number,
      [number, unknown, Variant<[number, Record<string, Variant>]>[]],
    ];
    return children
      .map(({ value: [id, properties] }) => ({
        id,
        label: String(properties.label?.value ?? ''),
        enabled: properties.enabled?.value !== false,
      }))
      .filter(({ label }) => label !== '');
  }

  /** Presses the entry whose label starts so. */
  async press(label: string): Promise<void> {
    const entry = (await this.entries()).find((candidate) => candidate.label.startsWith(label));
    if (entry === undefined) throw new Error(`The tray has no entry ${label}.`);
    await this.#menu('Event', 'isvu', [entry.id, 'clicked', new dbus.Variant('s', ''), 0]);
  }

  stop(): void {
    this.#bus.disconnect();
  }

  async #menu(member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    return this.#call({
      path: String(await this.#property('Menu')),
      interface: MENU,
      member,
      signature,
      body,
    });
  }

  async #property(name: string): Promise<unknown> {
    const [variant] = await this.#call({
      path: '/StatusNotifierItem',
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [ITEM, name],
    });
    return (variant as Variant).value;
  }

  async #call(message: Omit<ConstructorParameters<typeof Message>[0], 'destination'>): Promise<unknown[]> {
    // The harbor can be reached before its icon is in the tray.
    if (this.icons === 0) await once(this.#watcher.arrivals, 'icon');
    const [destination = ''] = this.#watcher.registered.slice(-1);
    // Chromium's item does not answer introspection, so messages are written by hand.
    const reply = await this.#bus.call(new dbus.Message({ ...message, destination }));
    return reply?.body ?? [];
  }
}
