/** The plain terminal of one session, with the engine's own prompt. */
import '@xterm/xterm/css/xterm.css';
import { Rows3 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { commandFor } from '../commands';
import { useDark } from '../page-theme';
import { Button } from '../parts/button';
import { useCommand, useServices, useWords } from '../services';
import { draftOf, keepDraft } from './drafts';
import { LeftStrip } from './left-draft';
import { lineWith } from './line-editor';
import styles from './repl-tab.module.css';
import { ReplTerminal } from './repl-terminal';
import { loadTerminalFont, terminalFont } from './terminal-font';
import { isLineKey } from './terminal-keys';
import { DARK_TERMINAL, LIGHT_TERMINAL } from './terminal-theme';

interface ReplTabProps {
  session: SessionView;
  focus: boolean;
}

export function ReplTab({ session: view, focus }: ReplTabProps) {
  const { id: session, name, engine } = view;
  const words = useWords();
  const host = useRef<HTMLDivElement>(null);
  const { viewState, commands, mac } = useServices();
  const blocks = useCommand('repl:terminal');
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
        line: lineWith(draftOf(session), viewState.getState().lines[session]),
        onTyped: (text) => keepDraft({ id: session, name, engine }, text),
        isShortcut: (event) =>
          event.key !== 'Escape' && !isLineKey(event) && commandFor(commands, event, mac, true) !== undefined,
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
  }, [session, name, engine, viewState, commands, mac]);

  useEffect(() => {
    if (repl) repl.theme = theme;
  }, [repl, theme]);

  useEffect(() => {
    if (repl && focus) repl.focus();
  }, [repl, focus]);

  return (
    <section className={styles.terminal} aria-label={words.repl.region(name)}>
      <div className={styles.frame}>
        <div ref={host} className={styles.host} data-session={session} />
      </div>
      <LeftStrip session={view} onInsert={(text) => repl?.insert(text)} />
      <div className={styles.status}>
        <p>{words.repl.terminalHint}</p>
        <Button icon={Rows3} shortcut={blocks.shortcut} onPress={blocks.run}>
          {words.repl.blocks}
        </Button>
      </div>
    </section>
  );
}
