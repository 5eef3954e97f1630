/** Who may speak to the harbor: programs whose configuration we write, and tokens for everything else. */
import { ScrollArea } from '../parts/scroll-area';
import styles from './clients.module.css';
import { Programs } from './programs';
import { Tokens } from './tokens';
import { View } from './view';

export function Clients() {
  return (
    <View title="Clients">
      <ScrollArea label="Clients" className={styles.page} keep="clients">
        <Programs />
        <Tokens />
      </ScrollArea>
    </View>
  );
}
