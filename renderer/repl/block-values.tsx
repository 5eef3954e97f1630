/** The values of an evaluation in the transcript, one line per form. */

import type { Evaluation, HistoryRow } from '../../electron/contract/model';
import { LongValue } from '../evaluations/evaluation-result';
import { LispBlock } from '../parts/code';
import { keyed } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './evaluation-block.module.css';

interface BlockValuesProps {
  row: HistoryRow;
  /** The full evaluation, if the user requested it. */
  whole: Evaluation | undefined;
  /** Whether the inspector can show the values of the last form. */
  inspectable: boolean;
}

interface ShownForm {
  /** The index of the form, from 0. */
  place: number;
  values: readonly string[];
  /** The full length of each value in characters, where known. */
  lengths: readonly number[];
}

export function BlockValues({ row, whole, inspectable }: BlockValuesProps) {
  const words = useWords();
  const endedWell = row.outcome === 'ok';
  const forms = formsShown(row, whole);
  const before = forms[0]?.place ?? 0;
  if (forms.every(({ values }) => values.length === 0))
    return endedWell ? <p className={styles.none}>{words.repl.noValues}</p> : null;
  return (
    <ul className={styles.values} aria-label={words.repl.values}>
      {before > 0 && <li className={styles.earlier}>{words.repl.formsBefore(before)}</li>}
      {forms.map((form) => (
        <FormValues
          key={form.place}
          form={form}
          row={row}
          inspectable={inspectable && endedWell && form === forms.at(-1)}
        />
      ))}
    </ul>
  );
}

/**
 * Returns the forms of the full evaluation or those of the row. The history may have dropped the code of the
 * forms.
 */
function formsShown({ values, earlier }: HistoryRow, whole: Evaluation | undefined): ShownForm[] {
  if (whole && whole.forms.length > 0)
    return whole.forms.map((form, place) => ({ place, values: form.values, lengths: form.lengths ?? [] }));
  const shown = [...(earlier?.values ?? []), values];
  const before = (earlier?.forms ?? 0) + 1 - shown.length;
  return shown.map((each, index) => ({ place: before + index, values: each, lengths: [] }));
}

interface FormValuesProps {
  form: ShownForm;
  row: HistoryRow;
  inspectable: boolean;
}

/**
 * The values of a form. The first value of the user's last form links to the inspector, and shows its name
 * for the next input.
 */
function FormValues({ form: { place, values, lengths }, row, inspectable }: FormValuesProps) {
  const words = useWords();
  const { actions } = useServices();
  const { id, session, engine } = row;
  if (values.length === 0 && row.outcome === 'ok')
    return <li className={styles.none}>{words.repl.noValues}</li>;
  return keyed(values).map(({ key, item }, value) => (
    <li key={key}>
      {(lengths[value] ?? 0) > item.length ? (
        <LongValue place={{ id, form: place, value }} length={lengths[value] ?? 0} engine={engine} />
      ) : inspectable && value === 0 ? (
        <button
          type="button"
          className={styles.value}
          title={words.repl.inspect(id)}
          onClick={() => actions.inspect(session, { evaluation: id })}
        >
          <LispBlock code={item} engine={engine} />
        </button>
      ) : (
        <LispBlock code={item} engine={engine} />
      )}
    </li>
  ));
}
