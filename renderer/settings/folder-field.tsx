/** A field for a folder's path, which is saved on Enter or when the field is left. Empty means none. */
import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import fields from '../parts/field.module.css';
import styles from './settings-view.module.css';

interface FolderFieldProps {
  label: string;
  /** What is used while none is named. */
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function FolderField({ label, placeholder, value, onChange }: FolderFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const finish = () => {
    if (typed === null) return;
    const path = typed.trim() || undefined;
    setTyped(null);
    if (path !== value) onChange(path);
  };
  return (
    <TextField
      aria-label={label}
      value={typed ?? value ?? ''}
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
      className={styles.folder ?? ''}
    >
      <Input className={fields.text ?? ''} placeholder={placeholder} />
    </TextField>
  );
}
