/** A field for a number, which is saved on Enter or when the field is left. */
import { useState } from 'react';
import { FieldError, Input, TextField } from 'react-aria-components';
import fields from '../parts/field.module.css';
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
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null ? null : problemOf(typed, min, max);
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

function problemOf(typed: string, min: number, max: number): string | null {
  const number = Number(typed);
  if (typed.trim() !== '' && number >= min && number <= max) return null;
  return `A number from ${min} to ${max}.`;
}
