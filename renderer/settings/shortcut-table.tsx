/** Every command with what starts it, which a person may change by pressing something else. */
import { useState } from 'react';
import { Button, Shortcut } from '../parts/button';
import { useServices } from '../services';
import { shortcutLabel, shortcutOf } from '../shortcuts';
import styles from './shortcut-table.module.css';

export function ShortcutTable({ chosen }: { chosen: Readonly<Record<string, string>> }) {
  const { actions, commands, mac } = useServices();
  const [changing, setChanging] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (id: string, shortcut: string | null) => {
    const { [id]: _, ...others } = chosen;
    void actions.changeSettings({ shortcuts: shortcut === null ? others : { ...others, [id]: shortcut } });
    setChanging(null);
  };
  /** Takes what is pressed, unless another command has it. */
  const press = (id: string, shortcut: string) => {
    const other = commands.find((command) => command.id !== id && command.shortcut === shortcut);
    if (other) setProblem(`${shortcutLabel(shortcut, mac)} starts “${other.title}”.`);
    else change(id, shortcut);
  };
  return (
    <ul className={styles.table} aria-label="Shortcuts">
      {commands.map(({ id, title, standard, shortcut }) => (
        <li key={id}>
          <span>{title}</span>
          {changing === id ? (
            <button
              type="button"
              className={styles.press}
              aria-label={`Press a shortcut for ${title}`}
              // biome-ignore lint/a11y/noAutofocus: a person has just asked to press something here
              autoFocus
              onBlur={() => setChanging(null)}
              onKeyDown={(event) => {
                if (event.key === 'Tab') return;
                event.preventDefault();
                event.stopPropagation();
                const pressed = shortcutOf(event, mac);
                if (event.key === 'Escape') setChanging(null);
                else if (event.key === 'Backspace') change(id, '');
                else if (pressed !== null) press(id, pressed);
              }}
            >
              {problem ?? 'Press it, Backspace for none, Escape to leave it'}
            </button>
          ) : (
            <span className={styles.keys}>{shortcut ? <Shortcut keys={shortcut} /> : 'none'}</span>
          )}
          <Button
            aria-label={`Change the shortcut of ${title}`}
            onPress={() => {
              setProblem(null);
              setChanging(id);
            }}
          >
            Change…
          </Button>
          {chosen[id] !== undefined && (
            <Button aria-label={`Usual shortcut of ${title}`} onPress={() => change(id, null)}>
              {standard ? `Back to ${shortcutLabel(standard, mac)}` : 'Back to none'}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
