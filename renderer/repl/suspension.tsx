/**
 * The condition of a suspended evaluation with its restarts: in its block, or above the editor while the block is out
 * of sight. A restart button types its number.
 */
import { Bug, ChevronDown, Footprints, Triangle } from 'lucide-react';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { Condition, HistoryRow, Restart } from '../../electron/contract/model';
import { useEvaluation } from '../bridge-queries';
import { isStep } from '../evaluations/evaluation-result';
import { Button, Menu, MenuItem } from '../parts/button';
import { withoutType } from '../parts/format';
import { useLive, useServices, useWords } from '../services';
import styles from './suspension.module.css';

/** Maximum number of restart buttons. The other restarts are in a menu. */
const MOST = 4;

/** Called with the suspended evaluation whose block is in sight; null if there is none. */
export const InSight = createContext<(evaluation: number | null) => void>(() => undefined);

interface SuspensionProps {
  evaluation: Pick<HistoryRow, 'id' | 'session' | 'client'>;
  condition: Pick<Condition, 'type' | 'message' | 'restarts'>;
  onSubmit: (text: string) => void;
}

export function Suspension({ evaluation, condition, onSubmit }: SuspensionProps) {
  const words = useWords();
  const { actions } = useServices();
  const { type, message, restarts } = condition;
  const step = isStep(type);
  const Icon = step ? Footprints : Triangle;
  return (
    <div className={styles.suspension} data-step={step || undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be focusable */}
      <p className={styles.condition} tabIndex={0}>
        <Icon size={12} fill={step ? 'none' : 'currentColor'} aria-label={words.states.outcome.debugger} />{' '}
        <code>{type}</code> <span lang="en">{withoutType(message, type)}</span>
        {evaluation.client !== 'you' && ` – ${words.repl.clientWaitsForRestart(evaluation.client)}`}
      </p>
      <div className={styles.restarts}>
        {restarts.slice(0, MOST).map(({ index, name, description }) => (
          <Button
            key={index}
            onPress={() => onSubmit(String(index))}
            aria-label={`${index} ${name}: ${description}`}
          >
            {index} {name}
          </Button>
        ))}
        <MoreRestarts restarts={restarts.slice(MOST)} onSubmit={onSubmit} />
        <Button icon={Bug} onPress={() => actions.openTab(evaluation.session, 'debugger')}>
          {words.repl.debugger}
        </Button>
      </div>
    </div>
  );
}

interface SuspendedBlockProps {
  row: HistoryRow;
  level: number;
  onSubmit: (text: string) => void;
}

/** The condition and restarts in the block of the innermost suspended evaluation. */
export function SuspendedBlock({ row, level, onSubmit }: SuspendedBlockProps) {
  const words = useWords();
  const report = useContext(InSight);
  const place = useRef<HTMLElement>(null);
  const [isSeen, setSeen] = useState(false);
  const { data } = useEvaluation(row.id);
  const { id } = row;
  const condition = data?.condition;
  const isThere = Boolean(condition);
  useEffect(() => {
    if (!place.current || !isThere) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        const isWhole = (entry?.intersectionRatio ?? 0) > 0.95;
        setSeen(isWhole);
        report(isWhole ? id : null);
      },
      { threshold: [0, 0.96, 1] },
    );
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      report(null);
    };
  }, [id, isThere, report]);
  if (!condition) return null;
  return (
    // While it is out of sight the strip above the editor has this name.
    <section ref={place} aria-label={isSeen ? words.repl.suspendedAtLevel(level) : undefined}>
      <Suspension evaluation={row} condition={condition} onSubmit={onSubmit} />
    </section>
  );
}

/** Returns the level of the debugger if the evaluation is the innermost suspended one, else null. */
export function useSuspendedLevel({ id, session, outcome }: HistoryRow): number | null {
  return useLive(({ sessions }) => {
    const { level, runningEvaluation } = sessions.get(session) ?? {};
    return outcome === 'debugger' && level !== undefined && runningEvaluation === id ? level : null;
  });
}

interface MoreRestartsProps {
  restarts: readonly Restart[];
  onSubmit: (text: string) => void;
}

function MoreRestarts({ restarts, onSubmit }: MoreRestartsProps) {
  const words = useWords();
  if (restarts.length === 0) return null;
  const title = words.repl.moreRestarts(restarts.length);
  return (
    <MenuTrigger>
      <Button icon={ChevronDown}>{title}</Button>
      <Menu label={title}>
        {restarts.map(({ index, name, description }) => (
          <MenuItem
            key={index}
            title={`${index} ${name}`}
            about={<span lang="en">{description}</span>}
            onChoose={() => onSubmit(String(index))}
          />
        ))}
      </Menu>
    </MenuTrigger>
  );
}
