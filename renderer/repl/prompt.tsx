/**
 * The area below the transcript: running, queued and suspended evaluations, and the editor for the next form.
 */

import { CircleStop, SquareTerminal, Undo2 } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ListenerView, SessionView } from '../../electron/contract/model';

import { dialectOf } from '../../electron/source/dialect';
import type { Words } from '../../electron/words/words';
import { harbor, tryCall } from '../bridge';
import { useEvaluation } from '../bridge-queries';
import { Button } from '../parts/button';
import { LispLine } from '../parts/code';

import { Duration } from '../parts/text';
import { useCommand, useLive, useServices, useWords } from '../services';
import { Arglist } from './arglist';
import { draftOf, saveDraft } from './drafts';
import { FormEditor } from './form-editor';
import { CancelKey, HistoryWalk } from './form-history';
import { HistorySearch, useFormsBefore } from './history-search';
import { OrphanedDraftStrip } from './orphaned-draft';
import styles from './prompt.module.css';
import { type CallAtCursor, callAt } from './structural-editing';
import { Suspension } from './suspension';

interface PromptProps {
  session: SessionView;
  listener: ListenerView | null;
  /** Whether the editor takes the focus. */
  focus: boolean;
  /** The suspended evaluation whose block is in sight. */
  inSight: number | null;
  onSubmit: (text: string) => void;
  onClear: () => void;
}

export function Prompt({ session, listener, focus, inSight, onSubmit, onClear }: PromptProps) {
  const words = useWords();
  const host = useRef<HTMLDivElement>(null);
  const [searching, setSearching] = useState(false);
  const [call, setCall] = useState<CallAtCursor | null>(null);
  const editing = useFormEditor(host, {
    session,
    listener,
    focus,
    onSubmit,
    onClear,
    onSearch: () => setSearching(true),
    onCall: (now) => setCall((before) => (isSameCall(before, now) ? before : now)),
  });
  const isLine = listener?.expects === 'line';
  const focusEditor = () => editing.current?.editor.focus();
  const putBack = (text: string) => {
    editing.current?.cancelKey.restore(text);
    focusEditor();
  };
  return (
    <div className={styles.prompt} data-suspended={session.level === undefined ? undefined : true}>
      <OrphanedDraftStrip session={session} onInsert={putBack} />
      <BusyStrip session={session} listener={listener} onWithdrawn={putBack} />
      {session.level !== undefined && inSight !== session.runningEvaluation && (
        <SuspendedStrip session={session} onSubmit={onSubmit} />
      )}
      {searching && (
        <HistorySearch
          engine={session.engine}
          onChoose={(text) => {
            editing.current?.cancelKey.clear();
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
      <Status session={session} isLine={isLine} call={call} />
    </div>
  );
}

/** Most key presses stay in the same argument, and need no new status line. */
function isSameCall(one: CallAtCursor | null, other: CallAtCursor | null): boolean {
  return (
    one?.operator === other?.operator && one?.argument === other?.argument && one?.keyword === other?.keyword
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
  onCall: (call: CallAtCursor | null) => void;
}

/** The editor and its Ctrl+C handler. */
interface Editing {
  editor: FormEditor;
  cancelKey: CancelKey;
}

/**
 * Creates the editor, which lives as long as the session is shown. Its callbacks are those of the last
 * render.
 */
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
    const walk = new HistoryWalk(id, () => forms.current);
    const editor = new FormEditor({
      host: host.current,
      dialect,
      text: draftOf(id),
      label: words.repl.input(name),
      whileEmpty: () => whileEmpty(latest.current.listener, words),
      takesLine: () => ['line', 'value'].includes(latest.current.listener?.expects ?? ''),
      readsLine: () => latest.current.listener?.expects === 'line',
      complete: (prefix) => harbor.sessions.complete({ session: id, prefix }).catch(() => []),
      onSubmit: (text) => {
        walk.restart();
        latest.current.onSubmit(text);
      },
      onChange: (text) => saveDraft({ id, name, engine }, text),
      onMove: (text, at) => latest.current.onCall(callAt(text, at, dialect)),
      older: (text) => walk.older(text),
      newer: () => walk.newer(),
      onSearch: () => latest.current.onSearch(),
      onCancel: () => void cancelKey.press(),
      onClear: () => latest.current.onClear(),
    });
    const cancelKey = new CancelKey(editor, walk, () =>
      tryCall(toasts, 'listener:takeBack', { session: id }),
    );
    editing.current = { editor, cancelKey };
    return () => {
      editor.dispose();
      editing.current = null;
    };
  }, [host, id, name, engine, toasts, words]);

  useEffect(() => {
    if (use.focus) editing.current?.editor.focus();
  }, [use.focus]);

  const expects = use.listener?.expects;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor queries the placeholder itself
  useEffect(() => editing.current?.editor.expectsOther(), [expects]);

  return editing;
}

function whileEmpty(listener: ListenerView | null, { repl }: Words): string {
  if (listener?.expects === 'line') return repl.linePlaceholder;
  return listener?.expects === 'value' ? repl.valuePlaceholder : repl.placeholder;
}

interface StatusProps {
  session: SessionView;
  /** Whether the input goes to code that reads. */
  isLine: boolean;
  call: CallAtCursor | null;
}

/** The status line: current keys, and the lambda list of the operator at the cursor. */
function Status({ session, isLine, call }: StatusProps) {
  const words = useWords();
  const terminal = useCommand('repl:terminal');
  return (
    <div className={styles.status}>
      <p className={styles.hint}>
        {isLine ? words.repl.readsLine : evaluateHint(session, words)}
        {!isLine && words.repl.keys}
      </p>
      {call !== null && <Arglist session={session} call={call} />}
      <Button icon={SquareTerminal} shortcut={terminal.shortcut} onPress={terminal.run}>
        {words.repl.terminal}
      </Button>
    </div>
  );
}

function evaluateHint({ level = 0 }: SessionView, { repl }: Words): string {
  return level > 0 ? repl.evaluateAt(level) : repl.evaluate;
}

// The strip above the editor: what another client runs in the session, with a Stop button, and the user's
// queued input.

interface BusyStripProps {
  session: SessionView;
  listener: ListenerView | null;
  /** Called with the input that was returned from the queue. */
  onWithdrawn: (text: string) => void;
}

function BusyStrip({ session, listener, onWithdrawn }: BusyStripProps) {
  return (
    <>
      {session.state === 'running' && <OthersWork session={session} listener={listener} />}
      <Waiting session={session} listener={listener} onWithdrawn={onWithdrawn} />
    </>
  );
}

function OthersWork({ session, listener }: Pick<BusyStripProps, 'session' | 'listener'>) {
  const words = useWords();
  const { actions } = useServices();
  const running = session.runningEvaluation;
  const row = useLive(({ evaluations }) => (running === null ? undefined : evaluations.get(running)));
  if (!row || row.id === listener?.evaluation) return null;
  const client = words.common.client(row.client);
  return (
    <section className={styles.strip} aria-label={words.repl.evaluates(client)}>
      <span>{words.repl.evaluates(client)}</span>
      <LispLine code={row.code} engine={row.engine} />
      <Duration ms={null} since={row.startedAt} />
      <Button
        icon={CircleStop}
        onPress={() =>
          void actions.harbor.sessions.stop({ session: session.id, evaluation: row.id, byForce: false })
        }
      >
        {words.repl.stopClient(client)}
      </Button>
    </section>
  );
}

/** Queued input, of which the newest is shown. All of it is returned to the editor together. */
function Waiting({ session, listener, onWithdrawn }: BusyStripProps) {
  const words = useWords();
  const { toasts } = useServices();
  const own = listener?.evaluation ?? null;
  const row = useLive(({ evaluations }) => (own === null ? undefined : evaluations.get(own)));
  const behind = row !== undefined && own !== session.runningEvaluation && row.outcome === 'running';
  const waiting = [...(behind ? [row.code] : []), ...(listener?.typed ?? [])];
  const newest = waiting.at(-1);
  if (newest === undefined) return null;
  const withdraw = async () => {
    const taken = await tryCall(toasts, 'listener:takeBack', { session: session.id });
    if (taken?.text) onWithdrawn(taken.text);
  };
  return (
    <section className={styles.strip} aria-label={words.repl.waits}>
      <span>{words.repl.waiting(waiting.length)}</span>
      <LispLine code={newest} engine={session.engine} />
      <Button icon={Undo2} onPress={() => void withdraw()}>
        {words.repl.withdraw}
      </Button>
    </section>
  );
}

// The strip above the editor of a suspended session whose block is out of sight: the condition and its
// restarts.

interface SuspendedStripProps {
  session: SessionView;
  onSubmit: (text: string) => void;
}

/** Milliseconds in which the block of a suspended evaluation usually comes in sight. */
const STRIP_DELAY_MS = 250;

function SuspendedStrip({ session, onSubmit }: SuspendedStripProps) {
  const words = useWords();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), STRIP_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const { level = 0, runningEvaluation, state } = session;
  const { data } = useEvaluation(runningEvaluation ?? 0);
  const condition = data?.condition;
  if (!isDue || state !== 'debugger' || !data || !condition) return null;
  return (
    <section className={styles.strip} data-suspended aria-label={words.repl.suspendedAtLevel(level)}>
      <Suspension evaluation={data} condition={condition} onSubmit={onSubmit} />
    </section>
  );
}
