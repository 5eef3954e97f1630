/** Who may speak to the harbor: programs whose configuration we write, and tokens for everything else. */
import { ScrollArea } from '../parts/scroll-area';
import { View } from '../parts/view';
import { useWords } from '../services';
import styles from './clients-view.module.css';
import { Programs } from './program-list';
import { Tokens } from './token-list';

export function Clients() {
  const words = useWords();
  return (
    <View title={words.clients.title}>
      <ScrollArea label={words.clients.title} className={styles.page} rememberAs="clients">
        <Programs />
        <Tokens />
      </ScrollArea>
    </View>
  );
}
