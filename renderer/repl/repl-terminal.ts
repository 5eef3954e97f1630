/**
 * An xterm connected to the listener of a session. The input line is drawn by the page: the listener does not
 * echo.
 */

import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, type IUnicodeVersionProvider, Terminal } from '@xterm/xterm';
import type { SessionId } from '../../electron/contract/model';
import { call, harbor, messageOf } from '../bridge';
import { onListenerOutput } from '../live-feed';
import { type Effect, edit, type Line } from './line-editor';
import { codePointWidth, LineScreen } from './line-screen';
import { type TerminalFont, TerminalWriter } from './terminal';
import { decodeKeys, type Key } from './terminal-keys';

interface ReplOptions {
  session: SessionId;
  host: HTMLElement;
  theme: ITheme;
  font: TerminalFont;
  /** The input line when the REPL was last shown. */
  line: Line;
  /** Called when the unsent text changes. */
  onTyped: (text: string) => void;
  /** Reports whether a key is a shortcut of the window. */
  isShortcut: (event: KeyboardEvent) => boolean;
}

const PASTE_MARKS_ON = '\x1b[?2004h';

export class ReplTerminal {
  readonly #options: ReplOptions;
  readonly #terminal: Terminal;
  readonly #writer: TerminalWriter;
  readonly #sizer = new FitAddon();
  readonly #screen: LineScreen;
  readonly #stops: (() => void)[] = [];
  /** Input typed before the transcript has loaded. It belongs below the transcript. */
  readonly #early: string[] = [];
  #line: Line;
  #joined = false;
  #takesKeys = false;
  /** Whether the last key was Escape. */
  #escaped = false;

  constructor(options: ReplOptions) {
    this.#options = options;
    this.#line = options.line;
    this.#terminal = createTerminal(options);
    this.#writer = new TerminalWriter(this.#terminal);
    this.#terminal.loadAddon(this.#sizer);
    this.#terminal.open(options.host);
    this.#fill();
    this.#screen = new LineScreen(this.#terminal.cols);
    this.#bind();
    void this.#join();
  }

  /** The input line, to be restored when the REPL is shown again. */
  get line(): Line {
    return this.#line;
  }

  set theme(theme: ITheme) {
    this.#terminal.options.theme = theme;
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** Inserts a text at the cursor, like a paste, without submitting it. */
  insert(text: string): void {
    this.#take({ kind: 'paste', text: text.trimEnd() });
    this.focus();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#writer.end();
    this.#terminal.dispose();
  }

  /** Sets columns and rows to the available space. */
  #fill(): void {
    const size = this.#sizer.proposeDimensions();
    if (size) this.#terminal.resize(size.cols, size.rows);
  }

  #bind(): void {
    const { session, host, isShortcut } = this.#options;
    this.#terminal.attachCustomKeyEventHandler((event) => this.#belongsToLine(event) && !isShortcut(event));
    const typing = this.#terminal.onData((data) => this.#type(data));
    const resizing = this.#terminal.onResize(({ cols }) => this.#terminal.write(this.#screen.resize(cols)));
    const { textarea } = this.#terminal;
    if (textarea) this.#stops.push(onInsertedText(textarea, (text) => this.#type(text)));
    const observer = new ResizeObserver(() => this.#fill());
    observer.observe(host);
    const unsubscribe = onListenerOutput((output) =>
      this.#joined && output.session === session ? this.#show(output.text) : undefined,
    );
    this.#stops.push(
      () => typing.dispose(),
      () => resizing.dispose(),
      () => observer.disconnect(),
      unsubscribe,
    );
  }

  /** Requests the earlier transcript. Output that arrives until then is part of it. */
  async #join(): Promise<void> {
    const { session } = this.#options;
    try {
      const { transcript } = await harbor.listener.open({ session });
      this.#joined = true;
      this.#terminal.write(PASTE_MARKS_ON);
      void this.#show(transcript);
      this.#terminal.write(this.#screen.type(this.#line));
    } catch (error) {
      void this.#show(`; ${messageOf(error)}\n`);
    }
    this.#takesKeys = true;
    for (const data of this.#early.splice(0)) this.#type(data);
  }

  #show(text: string): Promise<void> {
    return this.#writer.write(this.#screen.output(text));
  }

  /**
   * Reports whether the key belongs to the input line. Tab leaves the terminal only after Escape, for
   * keyboard users. Copy and paste are handled by the browser.
   */
  #belongsToLine({ key, type, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const leaves = this.#escaped;
    if (type === 'keydown' && key !== 'Shift') this.#escaped = key === 'Escape';
    if ((key === 'Tab' && leaves) || metaKey) return false;
    const letter = key.toLowerCase();
    return !(ctrlKey && (letter === 'v' || (letter === 'c' && this.#terminal.hasSelection())));
  }

  #type(data: string): void {
    if (!this.#takesKeys) {
      this.#early.push(data);
      return;
    }
    for (const key of decodeKeys(data)) this.#take(key);
  }

  #take(key: Key): void {
    const { line, effect } = edit(this.#line, key);
    this.#line = line;
    this.#options.onTyped(line.text);
    if (effect) this.#perform(effect);
    else this.#terminal.write(this.#screen.type(line));
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'submit':
        this.#terminal.write(this.#screen.submit(effect.text));
        void this.#reportFailure(
          harbor.listener.submit({ session: this.#options.session, text: effect.text }),
        );
        break;
      case 'clear-screen':
        this.#terminal.write(this.#screen.clear());
        break;
      case 'interrupt':
        this.#interrupt();
        break;
    }
  }

  /**
   * Drops the line. Main returns queued input, or else interrupts the running evaluation of this listener.
   */
  #interrupt(): void {
    this.#terminal.write(this.#screen.type(this.#line));
    void this.#reportFailure(call('listener:takeBack', { session: this.#options.session }));
  }

  async #reportFailure(answer: Promise<unknown>): Promise<void> {
    try {
      await answer;
    } catch (error) {
      void this.#show(`; ${messageOf(error)}\n`);
    }
  }
}

function createTerminal({ theme, font }: ReplOptions): Terminal {
  const terminal = new Terminal({
    allowProposedApi: true,
    fontFamily: font.family,
    fontSize: font.size,
    lineHeight: 1.25,
    theme,
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    scrollback: 10_000,
    cursorStyle: 'bar',
    cursorInactiveStyle: 'outline',
    // Links come from evaluated code and must not be opened.
    linkHandler: { activate: () => undefined },
  });
  terminal.unicode.register(WIDTHS);
  terminal.unicode.activeVersion = WIDTHS.version;
  return terminal;
}

/**
 * xterm encodes the properties of a character: its width in bits 1 and 2, and in bit 0 whether it joins the
 * previous one.
 */
const WIDTHS: IUnicodeVersionProvider = {
  version: 'harbor',
  wcwidth: codePointWidth,
  charProperties(codePoint, preceding) {
    const width = codePointWidth(codePoint);
    const before = (preceding >> 1) & 3;
    const joins = width === 0 && preceding !== 0 && before !== 0;
    return joins ? (before << 1) | 1 : width << 1;
  },
};

/**
 * Calls `insert` for text that is entered without a key, from a character picker, an accessibility tool or
 * dictation. In screen reader mode xterm ignores such input, because it looks like the echo of a screen
 * reader. Returns the function that stops it.
 */
function onInsertedText(area: HTMLTextAreaElement, insert: (text: string) => void): () => void {
  let keyDown = false;
  const down = () => {
    keyDown = true;
  };
  const up = () => {
    keyDown = false;
  };
  const input = (event: Event) => {
    if (!(event instanceof InputEvent) || event.isComposing || keyDown) return;
    if (event.inputType === 'insertText' && event.data) insert(event.data);
  };
  area.addEventListener('keydown', down, true);
  area.addEventListener('keyup', up, true);
  area.addEventListener('blur', up);
  area.addEventListener('input', input);
  return () => {
    area.removeEventListener('keydown', down, true);
    area.removeEventListener('keyup', up, true);
    area.removeEventListener('blur', up);
    area.removeEventListener('input', input);
  };
}
