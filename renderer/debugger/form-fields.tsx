/** Asks for forms, one a field: the arguments of a restart, or the values to return. */
import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { Button, IconButton } from '../parts/button';
import fields from '../parts/field.module.css';
import { keyed } from '../parts/keyed';
import { useWords } from '../services';
import styles from './debugger.module.css';

interface FormFieldsProps {
  label: string;
  /** What each is for; `values` are as many as there are. */
  names: readonly string[];
  /** What the button says. */
  verb: string;
  /** Answers what is wrong with the forms, or null. */
  onSubmit: (forms: string[]) => Promise<string | null>;
  /** Nothing is asked any more. */
  onClose: () => void;
}

export function FormFields({ label, names, verb, onSubmit, onClose }: FormFieldsProps) {
  const words = useWords();
  const [forms, setForms] = useState<readonly string[]>(() => names.map(() => ''));
  const [problem, setProblem] = useState<string | null>(null);
  const isOpenEnded = names.length === 1 && names[0] === 'values';
  const nameOf = (place: number) =>
    isOpenEnded ? words.debug.valueAt(place + 1) : (names[place] ?? words.debug.value);
  const change = (changed: readonly string[]) => {
    setForms(changed);
    setProblem(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = await onSubmit(forms.filter((form) => form.trim() !== ''));
    if (wrong === null) onClose();
    else setProblem(wrong);
  };
  return (
    <form
      aria-label={label}
      className={styles.forms}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {keyed(forms).map(({ key, item }, place) => (
        <TextField
          key={key}
          aria-label={nameOf(place)}
          value={item}
          isInvalid={problem !== null}
          onChange={(text) => change(forms.map((form, at) => (at === place ? text : form)))}
          autoFocus={place === forms.length - 1}
        >
          <Input
            className={fields.text ?? ''}
            placeholder={words.debug.form(nameOf(place))}
            spellCheck={false}
          />
        </TextField>
      ))}
      {isOpenEnded && (
        <IconButton icon={Plus} label={words.debug.anotherValue} onPress={() => change([...forms, ''])} />
      )}
      <Button kind="primary" type="submit">
        {verb}
      </Button>
      <IconButton icon={X} label={words.common.cancel} onPress={onClose} />
      {problem !== null && (
        <p role="alert" className={styles.wrong} lang="en">
          {problem}
        </p>
      )}
    </form>
  );
}
