/** The one window: made when it is first wanted, and opened where it was the last time. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  app,
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  nativeTheme,
  screen,
  type WebContents,
} from 'electron';
import type { Theme } from '../contract/appearance';
import type { Language } from '../words/language';
import { APP_URL } from './origin';
import { MINIMUM_SIZE, placeWindow, type WindowState } from './window-state';
import type { WindowStateFile } from './window-state-file';

/** A page that dies again within this time would go on dying: its window is closed. */
const CRASH_LOOP_MS = 10_000;

/** The longest that a page's first paint is waited for. */
const PAINT_LIMIT_MS = 1_000;

export interface WindowOptions {
  /** Absolute paths of the built preload script and of the icon. */
  preload: string;
  icon: string;
  stateFile: WindowStateFile;
  /** In which its page begins. */
  language: () => Language;
}

/** Each language has a document of its own, whose words stand there before the page's code is loaded. */
const DOCUMENTS: Readonly<Record<Language, string>> = { en: 'index.html', ja: 'index.ja.html' };

/** Who decides whether the window may be closed. */
export interface WindowKeeper {
  /** Asked when a person closes the window; false keeps it open. */
  mayCloseWindow(): Promise<boolean>;
  /** Whether the app is about to end, so that nobody is asked. */
  readonly decided: boolean;
}

/** Before there is anything to lose. */
const NOBODY: WindowKeeper = { mayCloseWindow: () => Promise.resolve(true), decided: false };

export class MainWindow {
  readonly #options: WindowOptions;
  #keeper = NOBODY;
  #window: BrowserWindow | null = null;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** From now on somebody decides whether it may be closed. */
  keptBy(keeper: WindowKeeper): void {
    this.#keeper = keeper;
  }

  /** The window while there is one. */
  current(): BrowserWindow | null {
    return this.#window;
  }

  /** The window while a person can see it: what a dialog can belong to. */
  onScreen(): BrowserWindow | null {
    return this.#window?.isVisible() ? this.#window : null;
  }

  /** Makes the window and shows it as soon as there is something in it; settles when that is on the screen, or it is closed.
   * @param route a hash of the page's */
  async open(route = ''): Promise<void> {
    const made = this.#create(route);
    this.#window = made;
    const { promise, resolve } = Promise.withResolvers<void>();
    made.once('closed', resolve);
    made.once('ready-to-show', () => {
      made.show();
      void onScreen(made.webContents).then(resolve);
    });
    await promise;
  }

  /** Shows the window and brings it to the front; until somebody looks for the first time, there is none. */
  show(route?: string): void {
    const window = this.#window;
    if (window === null) {
      void this.open(route);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  #create(route: string): BrowserWindow {
    const { stateFile, preload, icon, language } = this.#options;
    const state = placeWindow(stateFile.read(), workAreas());
    const window = new BrowserWindow(constructorOptions(state, preload, icon));
    if (state.maximized) window.maximize();
    this.#follow(window);
    void window.loadURL(`${APP_URL}${DOCUMENTS[language()]}${route}`);
    return window;
  }

  #follow(window: BrowserWindow): void {
    const { stateFile } = this.#options;
    const remember = () =>
      stateFile.remember({ ...window.getNormalBounds(), maximized: window.isMaximized() });
    window.on('move', remember);
    window.on('resize', remember);
    window.on('close', (event) => {
      stateFile.flush();
      event.preventDefault();
      // Electron would ask the page whether it may close, and wait for ever for one that hangs.
      if (this.#keeper.decided) return window.destroy();
      void this.#keeper.mayCloseWindow().then((yes) => {
        if (yes && !window.isDestroyed()) window.destroy();
      });
    });
    window.on('closed', () => {
      stateFile.flush();
      this.#window = null;
    });
    reviveAfterCrash(window);
  }
}

/**
 * When the page's first text is on the screen, which it says itself (First Contentful Paint): until then Chromium needs the thread
 * that whoever waits for this would take. A page that does not say so is not waited for long.
 */
async function onScreen(contents: WebContents): Promise<void> {
  const painted = contents.executeJavaScript(PAINTED).catch(() => undefined);
  await Promise.race([painted, delay(PAINT_LIMIT_MS, undefined, { ref: false })]);
}

const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver((_list, observer) => {
    observer.disconnect();
    resolve(null);
  }).observe({ type: 'paint', buffered: true });
})`;

function constructorOptions(
  { x, y, width, height }: WindowState,
  preload: string,
  icon: string,
): BrowserWindowConstructorOptions {
  return {
    x,
    y,
    width,
    height,
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    show: false,
    title: app.name,
    icon,
    autoHideMenuBar: true,
    backgroundColor: windowBackground(),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  };
}

function workAreas() {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary, ...others].map((display) => display.workArea);
}

function reviveAfterCrash(window: BrowserWindow): void {
  let last = 0;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const again = Date.now() - last < CRASH_LOOP_MS;
    last = Date.now();
    // Chromium is still at work on the end of that process: what is done to the page right now ends the app as well.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      if (again) window.destroy();
      else window.webContents.reload();
    });
  });
}

/** Changes every page's `prefers-color-scheme`, the native menus and the dialogs at once. */
export function applyTheme(theme: Theme): void {
  nativeTheme.themeSource = theme;
}

/** The colour that the window shows until its page has painted: the background of the page's theme. */
export function windowBackground(): string {
  return nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff';
}
