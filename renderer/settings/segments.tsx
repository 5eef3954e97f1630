/** One of a few choices, all of them in sight. */
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './settings-view.module.css';

interface SegmentsProps<T extends string> {
  label: string;
  chosen: T;
  /** The choices by what each is called, in their order. */
  titles: Readonly<Record<T, string>>;
  onChange: (chosen: T) => void;
}

export function Segments<T extends string>({ label, chosen, titles, onChange }: SegmentsProps<T>) {
  const choices = Object.keys(titles) as T[];
  return (
    <ToggleButtonGroup
      aria-label={label}
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        const pressed = choices.find((choice) => keys.has(choice));
        if (pressed !== undefined) onChange(pressed);
      }}
      className={styles.segments ?? ''}
    >
      {choices.map((choice) => (
        <ToggleButton key={choice} id={choice} className={styles.segment ?? ''}>
          {titles[choice]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
