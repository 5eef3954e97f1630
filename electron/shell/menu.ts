/** The application menu: the standard entries of the platform, without developer tools. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../contract/harbor-calls';
import { system } from '../host/system';
import type { Words } from '../words/words';

export interface MenuActions {
  showWindow: () => void;
  openDataFolder: () => void;
  /** Runs a command of the page. */
  run: (id: string) => void;
}

/**
 * Sets the menu: standard entries, and the page's commands once they are known. Call after the app is ready.
 */
export function setApplicationMenu(
  words: Words,
  actions: MenuActions,
  commands: readonly MenuCommand[],
): void {
  const mac = system.hasAppMenu;
  const first = mac ? [appMenu(words)] : [];
  const menus = [
    ...first,
    ...(mac ? [] : [fileMenu(words)]),
    editMenu(words),
    viewMenu(words),
    ...commandMenus(words, actions, commands),
    windowMenu(words, mac, actions),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menus, helpMenu(words, actions)]));
}

/**
 * Makes a menu for each group of commands. Shortcuts are shown but not registered, because the page knows the
 * focused element.
 */
function commandMenus(
  { commands: { groups: titles } }: Words,
  { run }: MenuActions,
  commands: readonly MenuCommand[],
): MenuItemConstructorOptions[] {
  const groups = [...new Set(commands.map(({ group }) => group))].filter((group) => group !== 'Window');
  return groups.map((group) => ({
    label: titles[group],
    submenu: commands
      .filter((command) => command.group === group)
      .map((command) => commandItem(command, run)),
  }));
}

function commandItem(
  { id, title, shortcut }: MenuCommand,
  run: MenuActions['run'],
): MenuItemConstructorOptions {
  const accelerator = shortcut?.replace('Mod', 'CommandOrControl');
  return {
    label: title,
    click: () => run(id),
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  };
}

function appMenu({ menu }: Words): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { role: 'about', label: menu.about(app.name) },
      { type: 'separator' },
      { role: 'services', label: menu.services },
      { type: 'separator' },
      { role: 'hide', label: menu.hide(app.name) },
      { role: 'hideOthers', label: menu.hideOthers },
      { role: 'unhide', label: menu.unhide },
      { type: 'separator' },
      { role: 'quit', label: menu.quitApp(app.name) },
    ],
  };
}

function fileMenu({ menu }: Words): MenuItemConstructorOptions {
  return { label: menu.file, submenu: [{ role: 'quit', label: menu.quit }] };
}

function editMenu({ menu }: Words): MenuItemConstructorOptions {
  return {
    label: menu.edit,
    submenu: [
      { role: 'undo', label: menu.undo },
      { role: 'redo', label: menu.redo },
      { type: 'separator' },
      { role: 'cut', label: menu.cut },
      { role: 'copy', label: menu.copy },
      { role: 'paste', label: menu.paste },
      { role: 'selectAll', label: menu.selectAll },
    ],
  };
}

function viewMenu({ menu }: Words): MenuItemConstructorOptions {
  return {
    label: menu.view,
    submenu: [
      { role: 'resetZoom', label: menu.resetZoom },
      { role: 'zoomIn', label: menu.zoomIn },
      { role: 'zoomOut', label: menu.zoomOut },
      { type: 'separator' },
      { role: 'togglefullscreen', label: menu.fullScreen },
    ],
  };
}

/**
 * Except on macOS, Minimize and Close have no shortcut: Ctrl+M and Ctrl+W are Return and "delete word" in a
 * terminal.
 */
function windowMenu({ menu }: Words, mac: boolean, actions: MenuActions): MenuItemConstructorOptions {
  const show: MenuItemConstructorOptions = { label: menu.showWindow, click: () => actions.showWindow() };
  const platform: MenuItemConstructorOptions[] = mac
    ? [
        { role: 'minimize', label: menu.minimize },
        { role: 'zoom', label: menu.zoom },
        { role: 'close', label: menu.close },
        { type: 'separator' },
        { role: 'front', label: menu.front },
      ]
    : [
        { label: menu.minimize, click: (_item, window) => window?.minimize() },
        { label: menu.close, click: (_item, window) => window?.close() },
      ];
  return { role: 'window', label: menu.window, submenu: [show, ...platform] };
}

function helpMenu({ menu }: Words, actions: MenuActions): MenuItemConstructorOptions {
  const about: MenuItemConstructorOptions = { role: 'about', label: menu.about(app.name) };
  return {
    role: 'help',
    label: menu.help,
    submenu: [
      { label: menu.openDataFolder, click: () => actions.openDataFolder() },
      ...(system.hasAppMenu ? [] : [about]),
    ],
  };
}
