/** What an evaluation prints while it runs: an xterm that is only read, as tall as what it shows, up to a limit. */
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import { onEvaluationOutput } from '../output-feed';
import { useDark } from '../page-theme';
import { useServices } from '../services';
import styles from './output-terminal.module.css';
import { loadTerminalFont, terminalFont } from './terminal-font';
import { DARK_TERMINAL, LIGHT_TERMINAL } from './terminal-theme';
import { TerminalWriter } from './terminal-writer';

const MOST_ROWS = 16;
/** Pixels of a row before the terminal has one. */
const USUAL_ROW = 20;

export function OutputTerminal({ evaluation }: { evaluation: number }) {
  const host = useRef<HTMLDivElement>(null);
  const { live } = useServices();
  const theme = useDark() ? DARK_TERMINAL : LIGHT_TERMINAL;
  const firstTheme = useRef(theme);
  const [terminal, setTerminal] = useState<Terminal | null>(null);
  const [rows, setRows] = useState(1);
  const [row, setRow] = useState(USUAL_ROW);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const font = terminalFont();
    const opened = new Terminal({
      fontFamily: font.family,
      fontSize: 12,
      lineHeight: 1.25,
      theme: firstTheme.current,
      minimumContrastRatio: 4.5,
      scrollback: 5_000,
      disableStdin: true,
      convertEol: true,
      cursorInactiveStyle: 'none',
      linkHandler: { activate: () => undefined },
    });
    const sizer = new FitAddon();
    opened.loadAddon(sizer);
    let tall = 1;
    const writer = new TerminalWriter(opened, () => {
      const { baseY, cursorY } = opened.buffer.active;
      if (tall >= Math.min(MOST_ROWS, baseY + cursorY + 1)) return;
      tall = Math.min(MOST_ROWS, baseY + cursorY + 1);
      setRows(tall);
    });
    const stop = onEvaluationOutput((output) =>
      output.evaluation === evaluation ? writer.write(output.text) : undefined,
    );
    let gone = false;
    void loadTerminalFont(font).then(() => {
      if (gone) return;
      opened.open(element);
      if (opened.textarea) opened.textarea.tabIndex = -1;
      // Follows the font that is there.
      const screen = element.querySelector<HTMLElement>('.xterm-screen');
      if (screen) setRow(screen.offsetHeight / opened.rows);
      sizer.fit();
    });
    for (const { text } of live.getState().outputs.get(evaluation) ?? []) void writer.write(text);
    const observer = new ResizeObserver(() => sizer.fit());
    observer.observe(element);
    setTerminal(opened);
    return () => {
      gone = true;
      stop();
      observer.disconnect();
      writer.end();
      opened.dispose();
    };
  }, [evaluation, live]);

  useEffect(() => {
    if (terminal) terminal.options.theme = theme;
  }, [terminal, theme]);

  return (
    <div className={styles.output} style={{ height: rows * row + 2 }}>
      <div ref={host} className={styles.host} data-output={evaluation} />
    </div>
  );
}
