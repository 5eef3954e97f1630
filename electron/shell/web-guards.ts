/**
 * Denies by default, for every page that ever comes to be: leaving the app, new windows, webviews, permissions,
 * devices. What is allowed is decided in origin.ts.
 */
import { app, type Session, shell, type WebContents } from 'electron';
import { externalAddress, isAppUrl, mayUse } from './origin';

/** Guards every web contents made from now on: call before the first window. */
export function guardNavigation(): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

function guardContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = externalAddress(url);
    if (address !== null) void shell.openExternal(address);
    return { action: 'deny' };
  });
}

/** Refuses every permission and device but what origin.ts names. Electron both checks a permission and asks for it. */
export function guardPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(mayUse(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => mayUse(permission, origin));
  session.setDevicePermissionHandler(() => false);
}
