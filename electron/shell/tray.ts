/** The tray icon and its menu. Drawn anew when what it says has changed, never by a timer. */
import path from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import { type TrayAction, type TrayItem, type TrayState, trayItems } from './tray-items';

export interface TrayOptions {
  /** Absolute path of the folder with the icons. */
  icons: string;
  actions: Record<TrayAction, () => void>;
}

export class HarborTray {
  readonly #tray: Tray;
  readonly #actions: TrayOptions['actions'];
  #drawn = '';

  constructor({ icons, actions }: TrayOptions, state: TrayState) {
    this.#actions = actions;
    this.#tray = new Tray(trayImage(icons));
    // Windows and some Linux desktops open the menu with the right button and send this for the left one.
    this.#tray.on('click', () => actions.show());
    this.update(state);
  }

  /** Shows the state; does nothing when the menu would read the same. */
  update(state: TrayState): void {
    const items = trayItems(state);
    const text = JSON.stringify(items);
    if (text === this.#drawn) return;
    this.#drawn = text;
    this.#tray.setToolTip('Lisp Harbor');
    this.#tray.setContextMenu(Menu.buildFromTemplate(items.map((item) => this.#menuItem(item))));
  }

  destroy(): void {
    if (!this.#tray.isDestroyed()) this.#tray.destroy();
  }

  #menuItem(item: TrayItem): MenuItemConstructorOptions {
    if (item === 'separator') return { type: 'separator' };
    const { label, action } = item;
    return action === null ? { label, enabled: false } : { label, click: () => this.#actions[action]() };
  }
}

/** The icon in the size each platform's tray draws; Electron finds the file of twice the size beside it by its name. */
const TRAY_IMAGE: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'trayTemplate.png',
  win32: 'tray-16.png',
};

function trayImage(icons: string) {
  return nativeImage.createFromPath(path.join(icons, TRAY_IMAGE[process.platform] ?? 'tray-22.png'));
}
