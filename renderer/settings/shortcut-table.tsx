/** Every command with what starts it, which a person may change by pressing something else. */
import { useState } from 'react';
import { Button, Shortcut } from '../parts/button';
import { useServices, useWords } from '../services';
import { shortcutLabel, shortcutOf } from '../shortcuts';
import styles from './shortcut-table.module.css';

export function ShortcutTable({ chosen }: { chosen: Readonly<Record<string, string>> }) {
  const words = useWords();
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
    if (other) setProblem(words.shortcuts.taken(shortcutLabel(shortcut, mac), other.title));
    else change(id, shortcut);
  };
  return (
    <ul className={styles.table} aria-label={words.shortcuts.title}>
      {commands.map(({ id, title, standard, shortcut }) => (
        <li key={id}>
          <span>{title}</span>
          {changing === id ? (
            <button
              type="button"
              className={styles.press}
              aria-label={words.shortcuts.pressFor(title)}
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
              {problem ?? words.shortcuts.press}
            </button>
          ) : (
            <span className={styles.keys}>{shortcut ? <Shortcut keys={shortcut} /> : words.common.none}</span>
          )}
          <Button
            aria-label={words.shortcuts.changeOf(title)}
            onPress={() => {
              setProblem(null);
              setChanging(id);
            }}
          >
            {words.shortcuts.change}
          </Button>
          {chosen[id] !== undefined && (
            <Button aria-label={words.shortcuts.usualOf(title)} onPress={() => change(id, null)}>
              {standard ? words.shortcuts.backTo(shortcutLabel(standard, mac)) : words.shortcuts.backToNone}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
