/** What a session is held at: levels, condition, restarts and frames; all of it by mouse, and by single keys as in SLIME. */
import { type KeyboardEvent, useRef, useState } from 'react';
import type { HeldView } from '../../electron/contract/debugger';
import type { SessionView } from '../../electron/contract/model';
import { useHeld } from '../image-queries';
import { KEEPS_FOCUS } from '../kept-focus';
import { Problem } from '../parts/feedback';
import { Disclosure } from '../parts/view';
import { useWords } from '../services';
import { ConditionHead } from './condition-head';
import styles from './debugger.module.css';
import { DEBUGGER_KEYS, type DebuggerAction, debuggerAction } from './debugger-keys';
import { firstFrame, frameBeside, frameGroups } from './frame-groups';
import { FrameList } from './frame-list';
import { heldProblem } from './held-problem';
import { Restarts } from './restarts';
import { useDebuggerActions } from './use-debugger-actions';

/** Frames that are asked for at first, and how many more each time. */
const FRAMES = 50;

export function HeldDebugger({ session }: { session: SessionView }) {
  const words = useWords();
  const [limit, setLimit] = useState(FRAMES);
  const { data, error } = useHeld(session, limit);
  if (!data) return error ? <Problem>{heldProblem(error, words)}</Problem> : null;
  const [level] = data.levels;
  if (!level) return null;
  return (
    <Level
      // Another level, or another error at the same one, is looked at anew.
      key={`${level.evaluation} ${level.level} ${level.handle ?? ''}`}
      session={session}
      view={data}
      onMore={() => setLimit(limit + FRAMES)}
    />
  );
}

interface LevelProps {
  session: SessionView;
  view: HeldView;
  onMore: () => void;
}

/** What is asked for by a key and has a form to fill in. */
export type Asking = { restart: number } | { returnFrom: number } | null;

function Level({ session, view, onMore }: LevelProps) {
  const words = useWords();
  const { levels, restarts, frames, total } = view;
  const [selected, setSelected] = useState(() => firstFrame(frames));
  const [asking, setAsking] = useState<Asking>(null);
  const region = useRef<HTMLElement>(null);
  const held = { evaluation: levels[0]?.evaluation ?? 0, level: levels[0]?.level ?? 1 };
  const actions = useDebuggerActions(session.id, held);
  // What is evaluated in a frame makes the session run; the level is held all the same.
  const isBusy = session.state !== 'debugger';
  const groups = frameGroups(frames);

  const perform = (action: DebuggerAction): boolean => {
    switch (action.do) {
      case 'frame': {
        const next = frameBeside(groups, selected, action.by);
        setSelected(next);
        region.current?.querySelector<HTMLElement>(`[data-frame="${next}"]`)?.focus();
        return true;
      }
      case 'restart': {
        const restart = restarts[action.index];
        if (!restart) return false;
        if (restart.arguments.length > 0) setAsking({ restart: restart.index });
        else void actions.restart(restart.index);
        return true;
      }
      case 'evaluate':
        region.current?.querySelector<HTMLElement>('[data-evaluate]')?.focus();
        return true;
      case 'returnFrom':
        setAsking({ returnFrom: selected });
        return true;
      case 'restartFrame':
        void actions.restart('RESTART-FRAME', selected);
        return true;
      case 'step':
        void actions.step(action.way);
        return true;
      case 'abort':
        void actions.abort(held.level - 1);
        return true;
      case 'topLevel':
        void actions.abort(0);
        return true;
    }
  };
  const press = (event: KeyboardEvent) => {
    // Who is asked for values types them, also before the field is there.
    if (event.defaultPrevented || asking !== null || isTyping(event.target)) return;
    const action = debuggerAction(event);
    if (action === null || (isBusy && action.do !== 'frame') || !perform(action)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section
      ref={region}
      {...KEEPS_FOCUS}
      aria-label={words.debug.title}
      className={styles.debugger}
      aria-busy={isBusy}
      onKeyDown={press}
    >
      <ConditionHead
        session={session}
        levels={levels}
        onReturnTo={isBusy ? null : (level) => void actions.abort(level)}
      />
      <Restarts
        restarts={restarts}
        engine={session.engine}
        isDisabled={isBusy}
        asking={asking !== null && 'restart' in asking ? asking.restart : null}
        onAsk={(restart) => setAsking(restart === null ? null : { restart })}
        onRestart={(restart) => void actions.restart(restart)}
        onRestartWith={actions.restartWith}
        onStep={(way) => void actions.step(way)}
      />
      <FrameList
        session={session}
        held={held}
        groups={groups}
        total={total}
        shown={frames.length}
        selected={selected}
        isBusy={isBusy}
        isReturning={asking !== null && 'returnFrom' in asking}
        onReturning={(returning) => setAsking(returning ? { returnFrom: selected } : null)}
        onSelect={(index) => {
          setSelected(index);
          setAsking(null);
        }}
        onMore={onMore}
        actions={actions}
      />
      <Disclosure title={words.debug.keys}>
        <dl className={styles.keys}>
          {DEBUGGER_KEYS.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{words.debug.doings[does]}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
    </section>
  );
}

function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
