/** Light, dark, or as the system has it. */
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { Theme } from '../../electron/contract/settings';
import styles from './settings-view.module.css';

const THEMES: readonly { id: Theme; title: string }[] = [
  { id: 'system', title: 'System' },
  { id: 'light', title: 'Light' },
  { id: 'dark', title: 'Dark' },
];

export function ThemeChoice({ theme, onChange }: { theme: Theme; onChange: (theme: Theme) => void }) {
  return (
    <ToggleButtonGroup
      aria-label="Theme"
      disallowEmptySelection
      selectedKeys={[theme]}
      onSelectionChange={(keys) => {
        const chosen = THEMES.find(({ id }) => keys.has(id));
        if (chosen) onChange(chosen.id);
      }}
      className={styles.segments ?? ''}
    >
      {THEMES.map(({ id, title }) => (
        <ToggleButton key={id} id={id} className={styles.segment ?? ''}>
          {title}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
