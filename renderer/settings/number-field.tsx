/** A field for a number, which is saved on Enter or when the field is left. */
import { useState } from 'react';
import { FieldError, Input, TextField } from 'react-aria-components';
import fields from '../parts/field.module.css';
import { useWords } from '../services';
import styles from './settings-view.module.css';

interface NumberFieldProps {
  label: string;
  unit?: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}

export function NumberField({ label, unit, value, min, max, onChange }: NumberFieldProps) {
  const words = useWords();
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null ? null : isWithin(typed, min, max) ? null : words.settings.between(min, max);
  const finish = () => {
    if (typed === null || problem !== null) return;
    setTyped(null);
    if (Number(typed) !== value) onChange(Number(typed));
  };
  return (
    <TextField
      aria-label={label}
      inputMode="decimal"
      value={typed ?? String(value)}
      isInvalid={problem !== null}
      validationBehavior="aria"
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
      className={styles.number ?? ''}
    >
      <Input className={`${fields.text} ${styles.numberInput}`} />
      {unit && <span className={styles.unit}>{unit}</span>}
      <FieldError className={styles.error ?? ''}>{problem}</FieldError>
    </TextField>
  );
}

function isWithin(typed: string, min: number, max: number): boolean {
  const number = Number(typed);
  return typed.trim() !== '' && number >= min && number <= max;
}
