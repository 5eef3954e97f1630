/** What became of an event, as a shape and a word; and what the prover took for it. */
import { Asterisk, Check, Equal, FastForward, Hand, History, Minus, Undo2, X } from 'lucide-react';
import type { Verdict } from '../../electron/contract/proof';
import type { Words } from '../../electron/words/words';
import { type Mark, StateMark } from '../parts/state-mark';
import { useWords } from '../services';

const VERDICTS: Readonly<Record<Verdict, Omit<Mark, 'word'>>> = {
  proved: { icon: Check, tone: 'good' },
  admitted: { icon: Check, tone: 'good' },
  redundant: { icon: Equal, tone: 'quiet' },
  skipped: { icon: FastForward, tone: 'warn' },
  axiom: { icon: Asterisk, tone: 'warn' },
  'no-effect': { icon: Minus, tone: 'quiet' },
  undone: { icon: Undo2, tone: 'quiet' },
  restored: { icon: History, tone: 'quiet' },
  failed: { icon: X, tone: 'bad' },
  interrupted: { icon: Hand, tone: 'warn' },
  'changed-then-interrupted': { icon: Hand, tone: 'warn' },
  value: { icon: Check, tone: 'good' },
};

export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const words = useWords();
  return <StateMark {...VERDICTS[verdict]} word={words.proofs.verdicts[verdict]} />;
}

interface FiguresProps {
  milliseconds: number | null;
  steps: number | null;
}

/** Time and prover steps. What is not known is left out, and so is a time of 0: the prover's clock is coarse. */
export function Figures({ milliseconds, steps }: FiguresProps) {
  const words = useWords();
  return (
    <>
      {milliseconds !== null && milliseconds > 0 && <span>{words.formats.duration(milliseconds)}</span>}
      <Steps steps={steps} />
    </>
  );
}

export function Steps({ steps }: { steps: number | null }) {
  const words = useWords();
  return steps === null ? null : <span>{stepsText(steps, words)}</span>;
}

/** A negative count says that a limit of so many steps was reached. */
function stepsText(steps: number, { proofs }: Words): string {
  return steps < 0 ? proofs.moreSteps(-steps) : proofs.steps(steps);
}
