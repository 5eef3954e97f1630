/** A check box with its label, and a few words about what it means. */
import { Check } from 'lucide-react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import styles from './checkbox.module.css';

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
