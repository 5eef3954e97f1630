/** Fields of forms and tool bars: search and selection. Each has a label for screen readers. */
import { ChevronDown, Search, X } from 'lucide-react';
import { Button as AriaButton, SearchField as AriaSearchField, Input } from 'react-aria-components';
import { useServices } from '../services';
import { ariaShortcut, shortcutLabel } from '../shortcuts';
import styles from './field.module.css';

interface SearchFieldProps {
  label: string;
  /** Where there is no room for the label. */
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}

/** A search field; Ctrl+F, or Command+F, focuses it. */
export function SearchField({ label, placeholder = label, value, onChange }: SearchFieldProps) {
  const { mac } = useServices();
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className={styles.search ?? ''}>
      <Search size={14} aria-hidden />
      <Input
        placeholder={placeholder}
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

export interface Option<T extends string> {
  value: T;
  title: string;
  /** Whether it cannot be chosen. */
  disabled?: boolean;
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
}

/** The platform's own list of options. */
export function Select<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  return (
    <span className={styles.select}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.title}
          </option>
        ))}
      </select>
      <ChevronDown size={13} aria-hidden />
    </span>
  );
}
