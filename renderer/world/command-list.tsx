/** The commands of a world as a list: number, title and marks of each. */
import { ListBox, ListBoxItem } from 'react-aria-components';
import type { WorldCommand } from '../../electron/contract/world';
import { Button } from '../parts/button';
import { useFollowedEnd } from '../parts/followed-end';
import { useWords } from '../services';
import styles from './command-list.module.css';
import { marksOf, titleOf } from './command-title';

interface CommandListProps {
  commands: readonly WorldCommand[];
  /** How many there are before these. */
  older: number;
  chosen: number | null;
  onOlder: () => void;
  onChoose: (number: number) => void;
}

export function CommandList({ commands, older, chosen, onOlder, onChoose }: CommandListProps) {
  const words = useWords();
  const area = useFollowedEnd();
  return (
    <div ref={area} className={styles.area}>
      {older > 0 && <Button onPress={onOlder}>{words.world.loadOlder(words.formats.number(older))}</Button>}
      <ListBox
        aria-label={words.world.events}
        className={styles.list ?? ''}
        items={commands}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        // Escape closes the detail of the session; the list would take the key for itself and do nothing.
        escapeKeyBehavior="none"
        selectedKeys={chosen === null ? [] : [chosen]}
        onSelectionChange={(keys) => {
          const [key] = keys === 'all' ? [] : keys;
          if (typeof key === 'number') onChoose(key);
        }}
      >
        {(command) => (
          <ListBoxItem
            id={command.number}
            textValue={titleOf(command, words)}
            className={styles.command ?? ''}
          >
            <Command command={command} />
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  );
}

function Command({ command }: { command: WorldCommand }) {
  const words = useWords();
  const title = titleOf(command, words);
  return (
    <>
      <span className={styles.number}>{command.number}</span>
      <span className={styles.title} title={title}>
        {title}
      </span>
      <span className={styles.marks}>{marksOf(command, words).join(words.common.comma)}</span>
    </>
  );
}
