/** What became of an event, as a shape and a word; and what the prover took for it. */
import { Asterisk, Check, Equal, FastForward, Hand, History, Minus, Undo2, X } from 'lucide-react';
import type { Verdict } from '../../electron/contract/proof';
import { count, formatDuration } from '../parts/format';
import { type Mark, StateMark } from '../parts/state-mark';

const VERDICTS: Readonly<Record<Verdict, Mark>> = {
  proved: { icon: Check, tone: 'good', word: 'proved' },
  admitted: { icon: Check, tone: 'good', word: 'admitted' },
  redundant: { icon: Equal, tone: 'quiet', word: 'redundant' },
  skipped: { icon: FastForward, tone: 'warn', word: 'not proved' },
  axiom: { icon: Asterisk, tone: 'warn', word: 'axiom' },
  'no-effect': { icon: Minus, tone: 'quiet', word: 'no effect' },
  undone: { icon: Undo2, tone: 'quiet', word: 'undone' },
  restored: { icon: History, tone: 'quiet', word: 'restored' },
  failed: { icon: X, tone: 'bad', word: 'failed' },
  interrupted: { icon: Hand, tone: 'warn', word: 'interrupted' },
  'changed-then-interrupted': { icon: Hand, tone: 'warn', word: 'interrupted after its change' },
  value: { icon: Check, tone: 'good', word: 'value' },
};

export function VerdictMark({ verdict }: { verdict: Verdict }) {
  return <StateMark {...VERDICTS[verdict]} />;
}

interface FiguresProps {
  milliseconds: number | null;
  steps: number | null;
}

/** Time and prover steps. What is not known is left out, and so is a time of 0: the prover's clock is coarse. */
export function Figures({ milliseconds, steps }: FiguresProps) {
  return (
    <>
      {milliseconds !== null && milliseconds > 0 && <span>{formatDuration(milliseconds)}</span>}
      <Steps steps={steps} />
    </>
  );
}

export function Steps({ steps }: { steps: number | null }) {
  return steps === null ? null : <span>{stepsText(steps)}</span>;
}

/** A negative count says that a limit of so many steps was reached. */
function stepsText(steps: number): string {
  return steps < 0 ? `more than ${count(-steps, 'step')}` : count(steps, 'step');
}
