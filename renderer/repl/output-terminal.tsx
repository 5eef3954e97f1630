/** The output of a running evaluation: a read-only xterm that grows with its content, up to a limit. */
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import { useDark } from '../document-effects';
import { onEvaluationOutput } from '../live-feed';
import { useServices } from '../services';
import styles from './output-terminal.module.css';
import { DARK_TERMINAL, LIGHT_TERMINAL, loadTerminalFont, TerminalWriter, terminalFont } from './terminal';

const MOST_ROWS = 16;
/** Estimated row height in pixels, before the terminal has rows. */
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
    let disposed = false;
    void loadTerminalFont(font).then(() => {
      if (disposed) return;
      opened.open(element);
      if (opened.textarea) opened.textarea.tabIndex = -1;
      // Uses the actual row height of the font.
      const screen = element.querySelector<HTMLElement>('.xterm-screen');
      if (screen) setRow(screen.offsetHeight / opened.rows);
      sizer.fit();
    });
    for (const { text } of live.getState().outputs.get(evaluation) ?? []) void writer.write(text);
    const observer = new ResizeObserver(() => sizer.fit());
    observer.observe(element);
    setTerminal(opened);
    return () => {
      disposed = true;
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
