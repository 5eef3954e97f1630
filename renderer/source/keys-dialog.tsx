/** The list of keys of the source editor. */
import type { Words } from '../../electron/words/words';
import { Button, Shortcut } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { useWords } from '../services';
import styles from './source-view.module.css';

type KeyName = keyof Words['source']['keyNames'];

/** The keys by group, in the syntax of shortcuts.ts. */
const KEYS: Readonly<Record<keyof Words['source']['keyGroups'], readonly (readonly [string, KeyName])[]>> = {
  file: [
    ['Mod+Enter', 'compile'],
    ['Mod+S', 'save'],
    ['Mod+L', 'load'],
    ['F8', 'nextNote'],
    ['Shift+F8', 'previousNote'],
    ['Alt+.', 'definition'],
    ['Alt+,', 'back'],
    ['Alt+M', 'expand'],
    ['Mod+Shift+E', 'editor'],
  ],
  structure: [
    ['Mod+ArrowRight', 'slurp'],
    ['Mod+ArrowLeft', 'barf'],
    ['Alt+(', 'wrap'],
    ['Alt+S', 'splice'],
    ['Alt+R', 'raise'],
    ['Mod+Alt+T', 'transpose'],
    ['Mod+Alt+K', 'killForm'],
  ],
  move: [
    ['Mod+Alt+F', 'forwardForm'],
    ['Mod+Alt+B', 'backwardForm'],
    ['Tab', 'complete'],
    ['Enter', 'newline'],
    ['Mod+Z', 'undo'],
    ['Escape', 'leave'],
  ],
};

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { keyGroups, keyNames, keysTitle } = words.source;
  return (
    <Dialog
      title={keysTitle}
      wide
      onClose={onClose}
      buttons={
        <Button kind="primary" autoFocus onPress={onClose}>
          {words.common.close}
        </Button>
      }
    >
      {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((group) => (
        <section key={group} className={styles.keys}>
          <h3>{keyGroups[group]}</h3>
          <dl>
            {KEYS[group].map(([keys, name]) => (
              <div key={name}>
                <dt>
                  <Shortcut keys={keys} />
                </dt>
                <dd>{keyNames[name]}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
