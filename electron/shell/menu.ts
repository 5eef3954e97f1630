/** The application menu: the platform's usual entries and no more; developer tools are not among them. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../contract/commands';

export interface MenuActions {
  showWindow: () => void;
  openDataFolder: () => void;
  /** Runs a command of the page's. */
  run: (id: string) => void;
}

/** Replaces the menu: the usual entries, and the page's commands once they are known. Call when the app is ready. */
export function setApplicationMenu(actions: MenuActions, commands: readonly MenuCommand[] = []): void {
  const mac = process.platform === 'darwin';
  const first = mac ? [appMenu()] : [];
  const menus = [
    ...first,
    ...(mac ? [] : [fileMenu()]),
    editMenu(),
    viewMenu(),
    ...commandMenus(actions, commands),
    windowMenu(mac, actions),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menus, helpMenu(actions)]));
}

/** A menu for each group of commands. Their shortcuts are told and not taken: the page knows who types. */
function commandMenus({ run }: MenuActions, commands: readonly MenuCommand[]): MenuItemConstructorOptions[] {
  const groups = [...new Set(commands.map(({ group }) => group))].filter((group) => group !== 'Window');
  return groups.map((group) => ({
    label: group,
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

function appMenu(): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
}

function fileMenu(): MenuItemConstructorOptions {
  return { label: '&File', submenu: [{ role: 'quit' }] };
}

function editMenu(): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
    ],
  };
}

function viewMenu(): MenuItemConstructorOptions {
  return {
    label: '&View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
}

/**
 * Off macOS, Minimize and Close have no shortcut. The usual ones, Ctrl+M and Ctrl+W, are Return and "delete word" in a
 * terminal.
 */
function windowMenu(mac: boolean, actions: MenuActions): MenuItemConstructorOptions {
  const show: MenuItemConstructorOptions = { label: 'Show window', click: () => actions.showWindow() };
  const platform: MenuItemConstructorOptions[] = mac
    ? [{ role: 'minimize' }, { role: 'zoom' }, { role: 'close' }, { type: 'separator' }, { role: 'front' }]
    : [
        { label: 'Minimize', click: (_item, window) => window?.minimize() },
        { label: 'Close', click: (_item, window) => window?.close() },
      ];
  return { role: 'window', label: '&Window', submenu: [show, ...platform] };
}

function helpMenu(actions: MenuActions): MenuItemConstructorOptions {
  const about: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [] : [{ role: 'about' }];
  return {
    role: 'help',
    label: '&Help',
    submenu: [{ label: 'Open data folder', click: () => actions.openDataFolder() }, ...about],
  };
}
