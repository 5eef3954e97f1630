/** The tray icon and its menu. Updated when the state changes, without a timer. */
import path from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import { system } from '../host/system';
import type { Words } from '../words/words';
import { type TrayAction, type TrayItem, type TrayState, trayItems, trayTip } from './tray-items';

export interface TrayOptions {
  /** Absolute path of the icon folder. */
  icons: string;
  actions: Record<TrayAction, () => void>;
}

export class HarborTray {
  readonly #tray: Tray;
  readonly #options: TrayOptions;
  #drawn = '';
  #isMarked = false;

  constructor(options: TrayOptions, state: TrayState, words: Words) {
    this.#options = options;
    this.#tray = new Tray(trayImage(options.icons, false));
    // Windows and some Linux desktops open the menu with the right button and send this event for the left
    // one.
    this.#tray.on('click', () => options.actions.show());
    this.update(state, words);
  }

  /**
   * Shows the state. Does nothing if the menu would not change or the icon was destroyed: events still arrive
   * while the app ends.
   */
  update(state: TrayState, words: Words): void {
    if (this.#tray.isDestroyed()) return;
    const items = trayItems(state, words);
    const text = JSON.stringify(items);
    if (text === this.#drawn) return;
    this.#drawn = text;
    this.#mark(state.needs > 0);
    this.#tray.setToolTip(trayTip(state, words));
    this.#tray.setContextMenu(Menu.buildFromTemplate(items.map((item) => this.#menuItem(item))));
  }

  destroy(): void {
    if (!this.#tray.isDestroyed()) this.#tray.destroy();
  }

  /** Marks the icon with a dot if something waits for the user. */
  #mark(isMarked: boolean): void {
    if (isMarked === this.#isMarked) return;
    this.#isMarked = isMarked;
    this.#tray.setImage(trayImage(this.#options.icons, isMarked));
  }

  #menuItem(item: TrayItem): MenuItemConstructorOptions {
    if (item === 'separator') return { type: 'separator' };
    const { label, action } = item;
    return action === null
      ? { label, enabled: false }
      : { label, click: () => this.#options.actions[action]() };
  }
}

function trayImage(icons: string, isMarked: boolean) {
  const [plain, marked] = system.trayIcons;
  return nativeImage.createFromPath(path.join(icons, isMarked ? marked : plain));
}
