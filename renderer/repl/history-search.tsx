/** The search of the REPL history (Ctrl+R). The chosen form is inserted into the editor. */

import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { EngineName } from '../../electron/contract/model';
import { harbor } from '../bridge';
import { LispLine } from '../parts/code';
import { useLive, useWords } from '../services';
import { distinct } from './form-history';
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
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keyboard
          <div
            key={form}
            id={`form-found-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === place}
            ref={index === place ? scrolledTo : undefined}
            onClick={() => choose(form)}
          >
            <LispLine code={form} engine={engine} query={words} />
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

// Number of recent forms of the user to load, of all sessions of the engine.

const MOST = 200;

/** Returns the recent forms, newest first. */
export function useFormsBefore(engine: EngineName): readonly string[] {
  const { data } = useQuery({
    queryKey: ['forms-before', engine],
    queryFn: () => harbor.history.page({ engine, client: 'you', limit: MOST }),
    staleTime: Infinity,
  });
  const live = useLive(({ evaluations }) => evaluations);
  return useMemo(() => {
    const now = [...live.values()].filter((row) => row.engine === engine && row.client === 'you');
    const rows = [...now.toSorted((a, b) => b.id - a.id), ...(data?.rows ?? [])];
    return distinct(rows.filter(({ kind }) => kind === 'listener').map(({ code }) => code));
  }, [data, live, engine]);
}

/** Returns forms of the whole history that contain the words, newest first. */
function useFormsFound(engine: EngineName, words: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ['forms-found', engine, words],
    queryFn: () =>
      harbor.history.page({ engine, client: 'you', limit: 50, ...(words !== '' && { query: words }) }),
    placeholderData: (before) => before,
  });
  return useMemo(
    () => distinct((data?.rows ?? []).filter(({ kind }) => kind === 'listener').map(({ code }) => code)),
    [data],
  );
}
