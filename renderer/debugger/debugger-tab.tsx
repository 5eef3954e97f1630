/** The debugger tab: the suspended evaluation, or the last error. */

import { Bug, ChevronRight } from 'lucide-react';
import { Fragment, type KeyboardEvent, useRef, useState } from 'react';
import type { SuspendedView } from '../../electron/contract/debugger';
import type { PERSON_KEY } from '../../electron/contract/known-clients';
import type { SessionView } from '../../electron/contract/model';
import { FOCUS_PANE } from '../document-effects';
import { isStep } from '../evaluations/evaluation-result';
import { useInspection, useSuspended } from '../image-queries';
import { ValueLink } from '../inspector/value-link';
import { compactMessage, engineTitle } from '../parts/format';
import { Sentence } from '../parts/text';
import { Disclosure, Empty, Problem } from '../parts/view';

import { formatRoute, START_ROUTE } from '../route';
import { useWords } from '../services';
import styles from './debugger.module.css';
import { debuggerProblem, useDebuggerActions } from './debugger-actions';
import {
  adjacentFrame,
  DEBUGGER_KEYS,
  type DebuggerAction,
  debuggerAction,
  firstFrame,
  frameGroups,
} from './debugger-model';
import { FrameList } from './frame-list';
import { LastError } from './last-error';
import { Restarts } from './restarts';

export function DebuggerTab({ session }: { session: SessionView }) {
  if (session.level !== undefined) return <SuspendedDebugger session={session} />;
  return <LastError session={session} nothing={<Nothing session={session} />} />;
}

function Nothing({ session: { engine, hold } }: { session: SessionView }) {
  const words = useWords();
  return (
    <Empty icon={Bug} title={words.debug.nothing}>
      {hold === null ? words.debug.nothingWithoutRestarts(engineTitle(engine)) : words.debug.nothingSuspended}
    </Empty>
  );
}

// The suspended evaluation with levels, condition, restarts and frames, operated by mouse or by the keys of
// SLIME.

/** Number of frames per request. */
const FRAMES = 50;

function SuspendedDebugger({ session }: { session: SessionView }) {
  const words = useWords();
  const [limit, setLimit] = useState(FRAMES);
  const { data, error } = useSuspended(session, limit);
  if (!data) return error ? <Problem>{debuggerProblem(error, words)}</Problem> : null;
  const [level] = data.levels;
  if (!level) return null;
  return (
    <LevelView
      // The state is reset for another level, or another error at the same level.
      key={`${level.evaluation} ${level.level} ${level.handle ?? ''}`}
      session={session}
      view={data}
      onMore={() => setLimit(limit + FRAMES)}
    />
  );
}

interface LevelProps {
  session: SessionView;
  view: SuspendedView;
  onMore: () => void;
}

/** The open input form: arguments of a restart or values to return. */
type OpenForm = { restart: number } | { returnFrom: number } | null;

function LevelView({ session, view, onMore }: LevelProps) {
  const words = useWords();
  const { levels, restarts, frames, total } = view;
  const [selected, setSelected] = useState(() => firstFrame(frames));
  const [openForm, setOpenForm] = useState<OpenForm>(null);
  const region = useRef<HTMLElement>(null);
  const suspendedAt = { evaluation: levels[0]?.evaluation ?? 0, level: levels[0]?.level ?? 1 };
  const actions = useDebuggerActions(session.id, suspendedAt);
  // Evaluation in a frame sets the session running while the level stays suspended.
  const isBusy = session.state !== 'debugger';
  const groups = frameGroups(frames);

  const perform = (action: DebuggerAction): boolean => {
    switch (action.do) {
      case 'frame': {
        const next = adjacentFrame(groups, selected, action.by);
        setSelected(next);
        region.current?.querySelector<HTMLElement>(`[data-frame="${next}"]`)?.focus();
        return true;
      }
      case 'restart': {
        const restart = restarts[action.index];
        if (!restart) return false;
        if (restart.arguments.length > 0) setOpenForm({ restart: restart.index });
        else void actions.restart(restart.index);
        return true;
      }
      case 'evaluate':
        region.current?.querySelector<HTMLElement>('[data-evaluate]')?.focus();
        return true;
      case 'returnFrom':
        setOpenForm({ returnFrom: selected });
        return true;
      case 'restartFrame':
        void actions.restart('RESTART-FRAME', selected);
        return true;
      case 'step':
        void actions.step(action.way);
        return true;
      case 'abort':
        void actions.abort(suspendedAt.level - 1);
        return true;
      case 'topLevel':
        void actions.abort(0);
        return true;
    }
  };
  const press = (event: KeyboardEvent) => {
    // Keys belong to the input form as soon as it is requested, before it is drawn.
    if (event.defaultPrevented || openForm !== null || isTyping(event.target)) return;
    const action = debuggerAction(event);
    if (action === null || (isBusy && action.do !== 'frame') || !perform(action)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section
      ref={region}
      {...FOCUS_PANE}
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
        openRestart={openForm !== null && 'restart' in openForm ? openForm.restart : null}
        onOpen={(restart) => setOpenForm(restart === null ? null : { restart })}
        onRestart={(restart) => void actions.restart(restart)}
        onRestartWith={actions.restartWith}
        onStep={(way) => void actions.step(way)}
      />
      <FrameList
        session={session}
        suspendedAt={suspendedAt}
        groups={groups}
        total={total}
        shown={frames.length}
        selected={selected}
        isBusy={isBusy}
        isReturning={openForm !== null && 'returnFrom' in openForm}
        onReturning={(returning) => setOpenForm(returning ? { returnFrom: selected } : null)}
        onSelect={(index) => {
          setSelected(index);
          setOpenForm(null);
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

/** The client name of the user in the history. */
const YOU: typeof PERSON_KEY = 'you';

type DebuggerLevel = SuspendedView['levels'][number];

interface ConditionHeadProps {
  session: SessionView;
  /** Innermost first. */
  levels: readonly DebuggerLevel[];
  /** Returns to a level and abandons those inside it; null while that is not possible. */
  onReturnTo: ((level: number) => void) | null;
}

function ConditionHead({ session, levels, onReturnTo }: ConditionHeadProps) {
  const words = useWords();
  const [innermost] = levels;
  if (!innermost) return null;
  return (
    <header className={styles.condition}>
      {levels.length > 1 && <Levels levels={levels} onReturnTo={onReturnTo} />}
      <p className={styles.type} data-step={isStep(innermost.type) || undefined}>
        <code>{innermost.type}</code>
        <span>
          <Sentence of={words.debug.atLevel(innermost.level, <EvaluationOwner level={innermost} />)} />
        </span>
      </p>
      <p className={styles.message} lang="en">
        {compactMessage(innermost.message)}
      </p>
      {innermost.handle !== undefined && <Slots session={session} handle={innermost.handle} />}
    </header>
  );
}

function EvaluationOwner({ level: { client, evaluation } }: { level: DebuggerLevel }) {
  const words = useWords();
  const link = <a href={formatRoute({ ...START_ROUTE, view: 'history', evaluation })}>#{evaluation}</a>;
  return <Sentence of={client === YOU ? words.debug.yours(link) : words.debug.theirs(client, link)} />;
}

/** The levels as breadcrumbs. A link returns to its level and abandons those inside it. */
function Levels({ levels, onReturnTo }: Omit<ConditionHeadProps, 'session'>) {
  const words = useWords();
  return (
    <nav aria-label={words.debug.levels} className={styles.levels}>
      <ol>
        {levels.toReversed().map(({ level, type }) => (
          <Fragment key={level}>
            {level > 1 && <ChevronRight size={12} aria-hidden />}
            <li>
              {level === levels.length ? (
                <span aria-current="step">
                  {level} {type}
                </span>
              ) : (
                <button
                  type="button"
                  disabled={onReturnTo === null}
                  title={words.debug.giveUpInside(level)}
                  onClick={() => onReturnTo?.(level)}
                >
                  {level} {type}
                </button>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

const SLOTS = { path: [], offset: 0, limit: 50 };

function Slots({ session, handle }: { session: SessionView; handle: string }) {
  const words = useWords();
  const { data } = useInspection(session.id, handle, SLOTS);
  if (!data || data.parts.length === 0) return null;
  return (
    <Disclosure title={words.debug.slotsOf(data.total)}>
      <dl className={styles.locals} aria-label={words.debug.slots}>
        {data.parts.map(({ index, name, text, unbound, problem }) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>
              <ValueLink
                session={session}
                text={problem ?? (unbound ? words.debug.unbound : (text ?? ''))}
                from={problem === undefined && !unbound ? { handle, path: [index] } : null}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}
