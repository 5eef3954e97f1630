/** Evaluates among the locals of a frame, and shows what came of it. */
import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { Evaluation, SessionView } from '../../electron/contract/model';
import { ConditionLine } from '../evaluations/condition-view';
import { ValueLink } from '../inspector/value-link';
import fields from '../parts/field.module.css';
import { keyed } from '../parts/keyed';
import { useWords } from '../services';
import styles from './debugger.module.css';

interface FrameEvaluationProps {
  session: SessionView;
  isBusy: boolean;
  onEvaluate: (code: string) => Promise<Evaluation | undefined>;
}

export function FrameEvaluation({ session, isBusy, onEvaluate }: FrameEvaluationProps) {
  const words = useWords();
  const [code, setCode] = useState('');
  const [last, setLast] = useState<Evaluation | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '' || isBusy) return;
    const row = await onEvaluate(code);
    if (!row) return;
    setLast(row);
    if (row.outcome === 'ok') setCode('');
  };
  return (
    <form
      aria-label={words.debug.evaluateIn}
      className={styles.evaluation}
      onSubmit={(event) => void submit(event)}
    >
      <TextField aria-label={words.debug.formIn} value={code} onChange={setCode}>
        <Input
          className={fields.text ?? ''}
          placeholder={words.debug.evaluateHint}
          spellCheck={false}
          data-evaluate
        />
      </TextField>
      {last && <Result session={session} evaluation={last} />}
    </form>
  );
}

function Result({ session, evaluation }: { session: SessionView; evaluation: Evaluation }) {
  const words = useWords();
  const { id, code, outcome, forms, condition, stdout, notes } = evaluation;
  const values = forms.at(-1)?.values ?? [];
  return (
    <output className={styles.result}>
      <code>{code}</code>
      {stdout !== '' && <pre>{stdout}</pre>}
      {outcome === 'ok' &&
        keyed(values).map(({ key, item }, place) => (
          <ValueLink key={key} session={session} text={item} from={place === 0 ? { evaluation: id } : null} />
        ))}
      {outcome === 'ok' && values.length === 0 && <span>{words.evaluations.noValues}</span>}
      {condition && <ConditionLine type={condition.type} message={condition.message} />}
      {outcome !== 'ok' && !condition && <span>{notes.join(' ') || words.states.outcome[outcome]}</span>}
    </output>
  );
}
