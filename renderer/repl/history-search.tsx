/** Ctrl+R: searches what the person has evaluated before, and puts the chosen form into the editor. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { EngineName } from '../../electron/contract/model';
import { LispLine } from '../parts/lisp';
import { useWords } from '../services';
import { useFormsFound } from './forms-before';
import styles from './prompt.module.css';

interface HistorySearchProps {
  engine: EngineName;
  onChoose: (form: string) => void;
  onClose: () => void;
}

export function HistorySearch({ engine, onChoose, onClose }: HistorySearchProps) {
  const { repl: texts } = useWords();
  const [words, setWords] = useState('');
  const [place, setPlace] = useState(0);
  const forms = useFormsFound(engine, words.trim());
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const choose = (form: string | undefined) => {
    onClose();
    if (form !== undefined) onChoose(form);
  };
  const press = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step !== 0) setPlace((at) => Math.min(forms.length - 1, Math.max(0, at + step)));
    else if (event.key === 'Enter') choose(forms[place]);
    else if (event.key === 'Escape' || (event.ctrlKey && ['g', 'c'].includes(event.key))) choose(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.search}>
      <div
        id="forms-found"
        role="listbox"
        aria-label={texts.formsFound}
        className={styles.found}
        tabIndex={-1}
      >
        {forms.map((form, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
          <div
            key={form}
            id={`form-found-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === place}
            ref={index === place ? scrolledTo : undefined}
            onClick={() => choose(form)}
          >
            <LispLine code={form} engine={engine} />
          </div>
        ))}
      </div>
      <input
        ref={field}
        role="combobox"
        aria-label={texts.searchHistory}
        aria-expanded
        aria-controls="forms-found"
        aria-activedescendant={forms.length > 0 ? `form-found-${place}` : undefined}
        placeholder={texts.searchHint}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setPlace(0);
        }}
        onKeyDown={press}
      />
    </div>
  );
}

function stepOf({ key, ctrlKey }: KeyboardEvent): number {
  if (key === 'ArrowDown' || (ctrlKey && (key === 'r' || key === 'n'))) return 1;
  return key === 'ArrowUp' || (ctrlKey && (key === 's' || key === 'p')) ? -1 : 0;
}

function scrolledTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
