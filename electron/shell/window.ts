/** The window, created on demand and opened at its last bounds. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  app,
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  nativeTheme,
  screen,
  type WebContents,
} from 'electron';
import type { Theme } from '../contract/option-values';
import type { Language } from '../words/language';
import { APP_URL } from './origin';
import { MINIMUM_SIZE, placeWindow, type WindowState, type WindowStateFile } from './window-state';

/** Milliseconds. A page that crashes again within this time has its window closed. */
const CRASH_LOOP_MS = 10_000;

/** Maximum wait for the first paint of a page, in milliseconds. */
const PAINT_LIMIT_MS = 1_000;

export interface WindowOptions {
  /** Absolute paths of the built preload script and of the icon. */
  preload: string;
  icon: string;
  stateFile: WindowStateFile;
  /** Language in which the page starts. */
  language: () => Language;
}

/**
 * Each language has its own document with static words, which are visible before the page's code is loaded.
 */
const DOCUMENTS: Readonly<Record<Language, string>> = { en: 'index.html', ja: 'index.ja.html' };

/** Decides whether the window may close. */
export interface WindowKeeper {
  /** Called when the user closes the window; false keeps it open. */
  mayCloseWindow(): Promise<boolean>;
  /** Whether the app is about to end, so that no question is asked. */
  readonly decided: boolean;
}

/** Used before the harbor is ready, when nothing can be lost. */
const NOBODY: WindowKeeper = { mayCloseWindow: () => Promise.resolve(true), decided: false };

export class MainWindow {
  readonly #options: WindowOptions;
  #keeper = NOBODY;
  #window: BrowserWindow | null = null;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** Sets who decides about closing. */
  setKeeper(keeper: WindowKeeper): void {
    this.#keeper = keeper;
  }

  /** Returns the window, or null. */
  current(): BrowserWindow | null {
    return this.#window;
  }

  /** Returns the window if it is visible, as the parent of dialogs. */
  onScreen(): BrowserWindow | null {
    return this.#window?.isVisible() ? this.#window : null;
  }

  /**
   * Creates the window and shows it once the page has painted. Resolves when it is visible or closed.
   * @param route a route hash of the page
   */
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

  /** Shows the window and brings it to the front, creating it if there is none. */
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
      // Closing would ask the page, and wait forever for one that hangs.
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
 * Resolves at the First Contentful Paint of the page, so that work which follows does not take the thread
 * that Chromium needs for it. The wait is bounded.
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
    // Chromium is still handling the end of that process. Changing the page now would crash the app.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      if (again) window.destroy();
      else window.webContents.reload();
    });
  });
}

/** Sets `prefers-color-scheme` of every page, and the theme of native menus and dialogs. */
export function applyTheme(theme: Theme): void {
  nativeTheme.themeSource = theme;
}

/** Returns the background color of the theme, shown until the page has painted. */
export function windowBackground(): string {
  return nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff';
}
