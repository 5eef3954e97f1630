/** A form whose value is to be looked at. */
import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import fields from '../parts/field.module.css';
import { useWords } from '../services';
import styles from './inspector.module.css';

interface CodeFieldProps {
  /** Answers why there is no value, or null. */
  onSubmit: (code: string) => Promise<string | null>;
}

export function CodeField({ onSubmit }: CodeFieldProps) {
  const words = useWords();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '') return;
    setProblem(await onSubmit(code));
  };
  return (
    <form
      aria-label={words.inspector.look}
      className={styles.codeField}
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        aria-label={words.inspector.formToLook}
        isInvalid={problem !== null}
        value={code}
        onChange={(text) => {
          setCode(text);
          setProblem(null);
        }}
      >
        <Input className={fields.text ?? ''} placeholder={words.inspector.formHint} spellCheck={false} />
      </TextField>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  );
}
