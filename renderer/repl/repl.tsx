/** The REPL of a session: the transcript of all clients with an editor below it, or the plain terminal. */

import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListenerView, SessionId, SessionView } from '../../electron/contract/model';
import { harbor, subscribe, tryCall } from '../bridge';
import { useCommand, useRoute, useServices, useViewState, useWords } from '../services';
import { Prompt } from './prompt';
import styles from './repl.module.css';
import { Transcript } from './transcript';
import '@xterm/xterm/css/xterm.css';
import { Rows3 } from 'lucide-react';

import { commandFor } from '../commands';
import { useDark } from '../document-effects';
import { Button } from '../parts/button';
import { draftOf, saveDraft } from './drafts';
import { lineWith } from './line-editor';
import { OrphanedDraftStrip } from './orphaned-draft';
import { ReplTerminal } from './repl-terminal';
import { InSight } from './suspension';
import { DARK_TERMINAL, LIGHT_TERMINAL, loadTerminalFont, terminalFont } from './terminal';
import { isLineKey } from './terminal-keys';

export function Repl({ session }: { session: SessionView }) {
  const typing = useRoute((state) => state.typing);
  const plain = useViewState(({ plainTerminal }) => plainTerminal);
  if (plain) return <ReplTab session={session} focus={typing} />;
  return <BlockRepl session={session} focus={typing} />;
}

function BlockRepl({ session, focus }: { session: SessionView; focus: boolean }) {
  const words = useWords();
  const { toasts } = useServices();
  const { id, name, level = 0 } = session;
  const listener = useListener(id);
  const [cleared, setCleared] = useState(0);
  const [inSight, setInSight] = useState<number | null>(null);
  const submit = useCallback(
    (text: string) => void tryCall(toasts, 'listener:submit', { session: id, text, level }),
    [toasts, id, level],
  );
  return (
    <section className={styles.repl} aria-label={words.repl.region(name)} data-session={id}>
      <InSight value={setInSight}>
        <Transcript key={cleared} session={session} onAgain={submit} />
      </InSight>
      <Prompt
        session={session}
        listener={listener}
        focus={focus}
        inSight={inSight}
        onSubmit={submit}
        onClear={() => setCleared((times) => times + 1)}
      />
    </section>
  );
}

// The plain terminal of a session, with the engine's own prompt.

interface ReplTabProps {
  session: SessionView;
  focus: boolean;
}

function ReplTab({ session: view, focus }: ReplTabProps) {
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
    let disposed = false;
    const font = terminalFont();
    const open = () => {
      if (disposed || !host.current) return;
      opened = new ReplTerminal({
        session,
        host: host.current,
        theme: firstTheme.current,
        font,
        line: lineWith(draftOf(session), viewState.getState().lines[session]),
        onTyped: (text) => saveDraft({ id: session, name, engine }, text),
        isShortcut: (event) =>
          event.key !== 'Escape' && !isLineKey(event) && commandFor(commands, event, mac, true) !== undefined,
      });
      setRepl(opened);
    };
    void loadTerminalFont(font).then(open);
    return () => {
      disposed = true;
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
      <OrphanedDraftStrip session={view} onInsert={(text) => repl?.insert(text)} />
      <div className={styles.status}>
        <p>{words.repl.terminalHint}</p>
        <Button icon={Rows3} shortcut={blocks.shortcut} onPress={blocks.run}>
          {words.repl.blocks}
        </Button>
      </div>
    </section>
  );
}

/**
 * Returns the session's listener: what it expects next, and the queued input. null until the listener has
 * answered, or if there is none.
 */
function useListener(session: SessionId): ListenerView | null {
  const [view, setView] = useState<ListenerView | null>(null);
  useEffect(() => {
    // Subscribes before the request, so that no change is missed.
    let updated = false;
    const stop = subscribe('listener:changed', (changed) => {
      if (changed.session !== session) return;
      updated = true;
      setView(changed.view);
    });
    harbor.listener.open({ session }).then(
      (opened) => {
        if (!updated) setView(opened.view);
      },
      () => undefined,
    );
    return stop;
  }, [session]);
  return view;
}
