/** Below the transcript: what an agent runs just now, what waits, what is held, and the editor for the next form. */
import { SquareTerminal } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ListenerView } from '../../electron/contract/listener';
import type { SessionView } from '../../electron/contract/model';
import { dialectOf } from '../../electron/source/dialect';
import type { Words } from '../../electron/words/words';
import { call, tryCall } from '../bridge';
import { Button } from '../parts/button';
import { useCommand, useServices, useWords } from '../services';
import { BusyStrip } from './busy-strip';
import { draftOf, keepDraft } from './drafts';
import { FormEditor } from './form-editor';
import { FormWalk } from './form-walk';
import { useFormsBefore } from './forms-before';
import { HeldStrip } from './held-strip';
import { HistorySearch } from './history-search';
import { LeftStrip } from './left-draft';
import styles from './prompt.module.css';
import { operatorAt } from './structural';
import { TakeBack } from './take-back';

interface PromptProps {
  session: SessionView;
  listener: ListenerView | null;
  /** Whether the editor takes the keyboard. */
  focus: boolean;
  onSubmit: (text: string) => void;
  onClear: () => void;
}

export function Prompt({ session, listener, focus, onSubmit, onClear }: PromptProps) {
  const words = useWords();
  const host = useRef<HTMLDivElement>(null);
  const [searching, setSearching] = useState(false);
  const [operator, setOperator] = useState<string | null>(null);
  const editing = useFormEditor(host, {
    session,
    listener,
    focus,
    onSubmit,
    onClear,
    onSearch: () => setSearching(true),
    onOperator: setOperator,
  });
  const isLine = listener?.expects === 'line';
  const focusEditor = () => editing.current?.editor.focus();
  const putBack = (text: string) => {
    editing.current?.takeBack.put(text);
    focusEditor();
  };
  return (
    <div className={styles.prompt} data-held={session.level === undefined ? undefined : true}>
      <LeftStrip session={session} onInsert={putBack} />
      <BusyStrip session={session} listener={listener} onTakenBack={putBack} />
      {session.level !== undefined && <HeldStrip session={session} onSubmit={onSubmit} />}
      {searching && (
        <HistorySearch
          engine={session.engine}
          onChoose={(text) => {
            editing.current?.takeBack.clear();
            editing.current?.editor.show(text);
            focusEditor();
          }}
          onClose={() => {
            setSearching(false);
            focusEditor();
          }}
        />
      )}
      <div className={styles.line} data-expects={listener?.expects}>
        <span className={styles.sign}>{signOf(session, listener, words)}</span>
        <div ref={host} className={styles.editor} />
      </div>
      <Status session={session} isLine={isLine} operator={operator} />
    </div>
  );
}

function signOf(
  { level = 0, package: name }: SessionView,
  listener: ListenerView | null,
  { repl }: Words,
): string {
  if (listener?.expects === 'line') return repl.inputSign;
  if (listener?.expects === 'value') return repl.valueSign;
  return listener?.prompt || (level > 0 ? `${level}]` : `${name}>`);
}

interface EditorUse {
  session: SessionView;
  listener: ListenerView | null;
  focus: boolean;
  onSubmit: (text: string) => void;
  onClear: () => void;
  onSearch: () => void;
  onOperator: (operator: string | null) => void;
}

/** The editor, and Ctrl+C in it. */
interface Editing {
  editor: FormEditor;
  takeBack: TakeBack;
}

/** The editor lives as long as the session is shown; what it calls is always that of the last drawing. */
function useFormEditor(host: RefObject<HTMLDivElement | null>, use: EditorUse): RefObject<Editing | null> {
  const words = useWords();
  const { toasts } = useServices();
  const { id, name, engine } = use.session;
  const editing = useRef<Editing | null>(null);
  const latest = useRef(use);
  latest.current = use;
  const before = useFormsBefore(engine);
  const forms = useRef(before);
  forms.current = before;

  useEffect(() => {
    if (!host.current) return;
    const dialect = dialectOf(engine);
    const walk = new FormWalk(id, () => forms.current);
    const editor = new FormEditor({
      host: host.current,
      dialect,
      text: draftOf(id),
      label: words.repl.input(name),
      whileEmpty: () => whileEmpty(latest.current.listener, words),
      takesLine: () => ['line', 'value'].includes(latest.current.listener?.expects ?? ''),
      readsLine: () => latest.current.listener?.expects === 'line',
      complete: (prefix) => call('sessions:complete', { session: id, prefix }).catch(() => []),
      onSubmit: (text) => {
        walk.restart();
        latest.current.onSubmit(text);
      },
      onChange: (text) => keepDraft({ id, name, engine }, text),
      onMove: (text, at) => latest.current.onOperator(operatorAt(text, at, dialect)),
      older: (text) => walk.older(text),
      newer: () => walk.newer(),
      onSearch: () => latest.current.onSearch(),
      onTakeBack: () => void takeBack.press(),
      onClear: () => latest.current.onClear(),
    });
    const takeBack = new TakeBack(editor, walk, () => tryCall(toasts, 'listener:takeBack', { session: id }));
    editing.current = { editor, takeBack };
    return () => {
      editor.dispose();
      editing.current = null;
    };
  }, [host, id, name, engine, toasts, words]);

  useEffect(() => {
    if (use.focus) editing.current?.editor.focus();
  }, [use.focus]);

  const expects = use.listener?.expects;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor asks for what is expected itself
  useEffect(() => editing.current?.editor.expectsOther(), [expects]);

  return editing;
}

function whileEmpty(listener: ListenerView | null, { repl }: Words): string {
  if (listener?.expects === 'line') return repl.linePlaceholder;
  return listener?.expects === 'value' ? repl.valuePlaceholder : repl.placeholder;
}

interface StatusProps {
  session: SessionView;
  /** Whether what is typed goes to code that reads. */
  isLine: boolean;
  operator: string | null;
}

/** What the keys do now, and how the operator is called that is being written. */
function Status({ session, isLine, operator }: StatusProps) {
  const words = useWords();
  const terminal = useCommand('repl:terminal');
  return (
    <div className={styles.status}>
      <p className={styles.hint}>
        {isLine ? words.repl.readsLine : evaluateHint(session, words)}
        {!isLine && words.repl.keys}
      </p>
      {operator !== null && <Arglist session={session} operator={operator} />}
      <Button icon={SquareTerminal} shortcut={terminal.shortcut} onPress={terminal.run}>
        {words.repl.terminal}
      </Button>
    </div>
  );
}

function evaluateHint({ level = 0 }: SessionView, { repl }: Words): string {
  return level > 0 ? repl.evaluateAt(level) : repl.evaluate;
}

/** How long a name stands before the image is asked, in milliseconds. */
const PAUSE_MS = 150;

function Arglist({ session: { id }, operator }: { session: SessionView; operator: string }) {
  const [known, setKnown] = useState<{ operator: string; arglist: string | null } | null>(null);
  useEffect(() => {
    let late = false;
    const timer = setTimeout(() => {
      call('sessions:arglist', { session: id, operator }).then(
        ({ arglist }) => {
          if (!late) setKnown({ operator, arglist });
        },
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [id, operator]);
  if (known?.operator !== operator || known.arglist === null) return null;
  const arglist = asWritten(known.arglist);
  return (
    <code className={styles.arglist} title={arglist}>
      {`${operator} ${arglist}`}
    </code>
  );
}

/** Common Lisps print names as they read them, in capitals; people write them small. */
function asWritten(arglist: string): string {
  return /[a-z]/.test(arglist) ? arglist : arglist.toLowerCase();
}
