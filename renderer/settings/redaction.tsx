/** Patterns of texts that are kept out of the history: each can be taken off, and one is typed. */
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { FieldError, Input, TextField } from 'react-aria-components';
import { IconButton } from '../parts/button';
import fields from '../parts/field.module.css';
import { useServices, useWords } from '../services';
import styles from './named-list.module.css';
import page from './settings-view.module.css';

export function RedactionRules({ patterns }: { patterns: readonly string[] }) {
  const words = useWords();
  const { actions } = useServices();
  const change = (redact: readonly string[]) => void actions.changeSettings({ redact: [...redact] });
  return (
    <>
      {patterns.length > 0 && (
        <ul className={styles.list} aria-label={words.settings.redaction}>
          {patterns.map((pattern) => (
            <li key={pattern}>
              <code>{pattern}</code>
              <IconButton
                icon={X}
                label={words.common.remove(pattern)}
                onPress={() => change(patterns.filter((other) => other !== pattern))}
              />
            </li>
          ))}
        </ul>
      )}
      <NewPattern onAdd={(pattern) => change([...patterns.filter((other) => other !== pattern), pattern])} />
    </>
  );
}

function NewPattern({ onAdd }: { onAdd: (pattern: string) => void }) {
  const words = useWords();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const pattern = typed.trim();
    setWrong(!isPattern(pattern));
    if (!isPattern(pattern)) return;
    setTyped('');
    onAdd(pattern);
  };
  return (
    <form onSubmit={add}>
      <TextField
        aria-label={words.settings.redactText}
        value={typed}
        isInvalid={isWrong}
        validationBehavior="aria"
        onChange={(text) => {
          setTyped(text);
          setWrong(false);
        }}
        className={page.line ?? ''}
      >
        <Input
          className={fields.text ?? ''}
          placeholder={words.settings.redactPlaceholder}
          spellCheck={false}
          autoComplete="off"
        />
        <FieldError className={page.error ?? ''}>{words.settings.redactWrong}</FieldError>
      </TextField>
    </form>
  );
}

/** As contract/redaction.ts has it. */
function isPattern(text: string): boolean {
  return text.replaceAll('*', '').trim().length >= 3 && text.split('*').length <= 4;
}
