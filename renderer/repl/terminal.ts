/**
 * The font of the terminal. xterm needs a family and a number; the rest of the window uses CSS variables of
 * tokens.css.
 */

import type { ITheme, Terminal } from '@xterm/xterm';

export interface TerminalFont {
  /** A CSS list of families. */
  family: string;
  /** In pixels. */
  size: number;
}

export function terminalFont(): TerminalFont {
  const style = getComputedStyle(document.documentElement);
  return {
    family: style.getPropertyValue('--mono'),
    size: Number.parseFloat(style.getPropertyValue('--size-terminal')),
  };
}

/**
 * Loads the font, because xterm measures it once when it opens. Never rejects: without the font, another of
 * the list is used.
 */
export async function loadTerminalFont({ family, size }: TerminalFont): Promise<void> {
  try {
    await document.fonts.load(`${size}px ${family}`);
  } catch {
    // The next family of the list is used.
  }
}

/** The colors of xterm, which does not support CSS variables. The backgrounds are those of tokens.css. */
export const LIGHT_TERMINAL: ITheme = {
  background: '#ffffff',
  foreground: '#1b1f24',
  cursor: '#0b6380',
  cursorAccent: '#ffffff',
  selectionBackground: '#b9dbe6',
  black: '#1b1f24',
  red: '#ad2a22',
  green: '#1f6b3a',
  yellow: '#7d5200',
  blue: '#1d58a8',
  magenta: '#74389b',
  cyan: '#0b6380',
  white: '#59626c',
  brightBlack: '#59626c',
  brightRed: '#c2362d',
  brightGreen: '#267a45',
  brightYellow: '#8f5f05',
  brightBlue: '#2a67bd',
  brightMagenta: '#8545ad',
  brightCyan: '#12728f',
  brightWhite: '#464e57',
};

export const DARK_TERMINAL: ITheme = {
  background: '#16181d',
  foreground: '#e4e7eb',
  cursor: '#6fc3de',
  cursorAccent: '#16181d',
  selectionBackground: '#2c5767',
  black: '#9aa3ad',
  red: '#f5958b',
  green: '#7fcb97',
  yellow: '#e0b45c',
  blue: '#8db9f2',
  magenta: '#cba6ec',
  cyan: '#6fc3de',
  white: '#d3d8de',
  brightBlack: '#9aa3ad',
  brightRed: '#fbb0a8',
  brightGreen: '#9ddcb0',
  brightYellow: '#ecc981',
  brightBlue: '#abcdf7',
  brightMagenta: '#dbc0f3',
  brightCyan: '#93d5ea',
  brightWhite: '#ffffff',
};

/**
 * Writes to an xterm. The returned promise resolves when xterm has processed the text, or when it is
 * disposed.
 */
export class TerminalWriter {
  readonly #terminal: Pick<Terminal, 'write'>;
  readonly #onTaken: () => void;
  readonly #waiting = new Set<() => void>();
  #disposed = false;

  /** @param onTaken called after each processed write, before its promise resolves */
  constructor(terminal: Pick<Terminal, 'write'>, onTaken: () => void = () => undefined) {
    this.#terminal = terminal;
    this.#onTaken = onTaken;
  }

  write(text: string): Promise<void> {
    if (this.#disposed) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    this.#terminal.write(text, () => {
      this.#waiting.delete(resolve);
      if (!this.#disposed) this.#onTaken();
      resolve();
    });
    return promise;
  }

  /** Call before the xterm is disposed, because it does not report pending writes afterwards. */
  end(): void {
    this.#disposed = true;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
