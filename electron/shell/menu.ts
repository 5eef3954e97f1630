/** The application menu: the platform's usual entries and no more; developer tools are not among them. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  showWindow: () => void;
  openDataFolder: () => void;
}

/** Replaces Electron's default menu. Call when the app is ready. */
export function setApplicationMenu(actions: MenuActions): void {
  const mac = process.platform === 'darwin';
  const first = mac ? [appMenu()] : [];
  const menus = [...first, ...(mac ? [] : [fileMenu()]), editMenu(), viewMenu(), windowMenu(mac, actions)];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menus, helpMenu(actions)]));
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
