/** A field for a line such as a folder's path, which is saved on Enter or when the field is left. Empty means none. */
import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import fields from '../parts/field.module.css';
import styles from './settings-view.module.css';

interface LineFieldProps {
  label: string;
  /** What is used while it is empty. */
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function LineField({ label, placeholder, value, onChange }: LineFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const finish = () => {
    if (typed === null) return;
    const line = typed.trim() || undefined;
    setTyped(null);
    if (line !== value) onChange(line);
  };
  return (
    <TextField
      aria-label={label}
      value={typed ?? value ?? ''}
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
      className={styles.line ?? ''}
    >
      <Input className={fields.text ?? ''} placeholder={placeholder} />
    </TextField>
  );
}
