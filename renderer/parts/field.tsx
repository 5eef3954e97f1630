/** Form controls: search field, select and check box, each with an accessible label. */

import { Check, ChevronDown, Search, X } from 'lucide-react';
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  SearchField as AriaSearchField,
  Input,
} from 'react-aria-components';
import { useServices } from '../services';
import { ariaShortcut, shortcutLabel } from '../shortcuts';
import styles from './field.module.css';

interface SearchFieldProps {
  label: string;
  /** Short placeholder; the label by default. */
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}

/** A search field. Ctrl+F (Command+F) focuses it. */
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
  /** Whether the option is disabled. */
  disabled?: boolean;
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
}

/** The native select element. */
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

interface CheckboxProps {
  label: string;
  about?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ label, about, checked, onChange }: CheckboxProps) {
  return (
    <AriaCheckbox isSelected={checked} onChange={onChange} className={styles.checkbox ?? ''}>
      <span className={styles.box}>
        <Check size={11} strokeWidth={3.2} aria-hidden />
      </span>
      <span>
        {label}
        {about && <span className={styles.about}> – {about}</span>}
      </span>
    </AriaCheckbox>
  );
}
