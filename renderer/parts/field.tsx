/** Fields of forms and tool bars: search, choice, text. Each has a label, seen or spoken. */
import { ChevronDown, Search, X } from 'lucide-react';
import { Button as AriaButton, SearchField as AriaSearchField, Input } from 'react-aria-components';
import { useServices } from '../services';
import { ariaShortcut, shortcutLabel } from '../shortcuts';
import styles from './field.module.css';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Ctrl+F, or Command+F, comes here. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const { mac } = useServices();
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className={styles.search ?? ''}>
      <Search size={14} aria-hidden />
      <Input
        placeholder={label}
        title={shortcutLabel('Mod+F', mac)}
        aria-keyshortcuts={ariaShortcut('Mod+F', mac)}
      />
      {value !== '' && (
        <AriaButton className={styles.clear ?? ''}>
          <X size={12} aria-hidden />
        </AriaButton>
      )}
    </AriaSearchField>
  );
}

export interface Choice<T extends string> {
  value: T;
  title: string;
  /** Why it cannot be chosen; absent when it can. */
  disabled?: boolean;
}

interface ChooserProps<T extends string> {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
}

/** The platform's own list of choices. */
export function Chooser<T extends string>({ label, value, choices, onChange }: ChooserProps<T>) {
  return (
    <span className={styles.chooser}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.disabled}>
            {choice.title}
          </option>
        ))}
      </select>
      <ChevronDown size={13} aria-hidden />
    </span>
  );
}
