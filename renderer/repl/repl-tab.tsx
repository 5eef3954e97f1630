/** The tab with the REPL of one session. */
import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef, useState } from 'react';
import type { SessionId } from '../../electron/contract/model';
import { commandFor } from '../commands';
import { useDark } from '../page-theme';
import { useServices } from '../services';
import styles from './repl-tab.module.css';
import { ReplTerminal } from './repl-terminal';
import { loadTerminalFont, terminalFont } from './terminal-font';
import { DARK_TERMINAL, LIGHT_TERMINAL } from './terminal-theme';

export function ReplTab({ session, name, focus }: { session: SessionId; name: string; focus: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  const { live, viewState, commands, mac } = useServices();
  const dark = useDark();
  const theme = dark ? DARK_TERMINAL : LIGHT_TERMINAL;
  const firstTheme = useRef(theme);
  const [repl, setRepl] = useState<ReplTerminal | null>(null);

  useEffect(() => {
    let opened: ReplTerminal | null = null;
    let gone = false;
    const font = terminalFont();
    const open = () => {
      if (gone || !host.current) return;
      opened = new ReplTerminal({
        session,
        host: host.current,
        theme: firstTheme.current,
        font,
        line: viewState.getState().lines[session],
        isRunning: () => live.getState().sessions.get(session)?.state === 'running',
        isShortcut: (event) => event.key !== 'Escape' && commandFor(commands, event, mac, true) !== undefined,
      });
      setRepl(opened);
    };
    void loadTerminalFont(font).then(open);
    return () => {
      gone = true;
      if (!opened) return;
      const { line } = opened;
      viewState.setState(({ lines }) => ({ lines: { ...lines, [session]: line } }));
      opened.dispose();
      setRepl(null);
    };
  }, [session, live, viewState, commands, mac]);

  useEffect(() => {
    if (repl) repl.theme = theme;
  }, [repl, theme]);

  useEffect(() => {
    if (repl && focus) repl.focus();
  }, [repl, focus]);

  return (
    <section className={styles.frame} aria-label={`REPL of ${name}`}>
      <div ref={host} className={styles.host} data-session={session} />
    </section>
  );
}
