/** One xterm bound to the listener of one session. The line that is typed is ours: the listener echoes nothing. */
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, type IUnicodeVersionProvider, Terminal } from '@xterm/xterm';
import type { SessionId } from '../../electron/contract/model';
import { call, messageOf } from '../bridge';
import { onListenerOutput } from '../output-feed';
import { codePointWidth } from './char-width';
import { onInsertedText } from './inserted-text';
import { type Effect, edit, type Line } from './line-editor';
import { LineScreen } from './line-screen';
import type { TerminalFont } from './terminal-font';
import { decodeKeys, type Key } from './terminal-keys';
import { TerminalWriter } from './terminal-writer';

export interface ReplOptions {
  session: SessionId;
  host: HTMLElement;
  theme: ITheme;
  font: TerminalFont;
  /** The line as it was when this session's REPL was last shown. */
  line: Line;
  /** What is typed and not sent is another text now. */
  onTyped: (text: string) => void;
  /** Whether a key belongs to the window and not to the line. */
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
  /** What was typed before the transcript came: it belongs below that. */
  readonly #early: string[] = [];
  #line: Line;
  #joined = false;
  #takesKeys = false;
  /** Whether Escape was the last key. */
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

  /** The typed line, to be given back when the REPL is shown again. */
  get line(): Line {
    return this.#line;
  }

  set theme(theme: ITheme) {
    this.#terminal.options.theme = theme;
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** Puts a text where the cursor stands, as when it is pasted; it is not sent. */
  insert(text: string): void {
    this.#take({ kind: 'paste', text: text.trimEnd() });
    this.focus();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#writer.end();
    this.#terminal.dispose();
  }

  /** Takes as many columns and rows as there is room for. */
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

  /** Asks for what was shown before, the transcript. Output that arrives until it comes is part of it. */
  async #join(): Promise<void> {
    const { session } = this.#options;
    try {
      const { transcript } = await call('listener:open', { session });
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

  /** Tab leaves the terminal only right after Escape, so that the keyboard can; copy and paste are the browser's. */
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
        void this.#tell(call('listener:submit', { session: this.#options.session, text: effect.text }));
        break;
      case 'clear-screen':
        this.#terminal.write(this.#screen.clear());
        break;
      case 'interrupt':
        this.#interrupt();
        break;
    }
  }

  /** Drops the line. Main takes back what was sent before and has not begun, or interrupts what runs of it. */
  #interrupt(): void {
    this.#terminal.write(this.#screen.type(this.#line));
    void this.#tell(call('listener:takeBack', { session: this.#options.session }));
  }

  async #tell(answer: Promise<unknown>): Promise<void> {
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
    // Links come from evaluated code: the window opens none of them.
    linkHandler: { activate: () => undefined },
  });
  terminal.unicode.register(WIDTHS);
  terminal.unicode.activeVersion = WIDTHS.version;
  return terminal;
}

/** xterm packs a character's properties as its width in bits 1 and 2 and, in bit 0, whether it joins the one before. */
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
