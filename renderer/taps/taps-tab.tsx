/** The tab with the values that code passed to tap>. Each value can be inspected. */
import { Radio, Trash2 } from 'lucide-react';
import type { TapView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { useTaps } from '../image-queries';
import { ValueLink } from '../inspector/value-link';
import { Button } from '../parts/button';
import { ScrollArea } from '../parts/scroll-area';
import { RelativeTime, Sentence, useNow } from '../parts/text';
import { Empty, Problem } from '../parts/view';

import { useServices, useWords } from '../services';
import styles from './taps-tab.module.css';

export function TapsTab({ session }: { session: SessionView }) {
  const words = useWords();
  const { data: taps = [], error, isPending } = useTaps(session);
  const { actions } = useServices();
  if (error) return <Problem>{error.message}</Problem>;
  if (isPending) return null;
  if (taps.length === 0)
    return (
      <Empty icon={Radio} title={words.taps.none}>
        {words.taps.noneAbout}
        {session.server && ` ${words.taps.attached}`}
      </Empty>
    );
  return (
    <ScrollArea label={words.taps.title} className={styles.taps}>
      <p className={styles.head}>
        {words.taps.latest(taps.length)}
        <Button icon={Trash2} onPress={() => void actions.forgetTaps(session.id)}>
          {words.taps.forget}
        </Button>
      </p>
      <ul aria-label={words.taps.list}>
        {taps.map((tap) => (
          <Tap key={tap.number} tap={tap} session={session} />
        ))}
      </ul>
    </ScrollArea>
  );
}

function Tap({ tap: { at, type, text, handle }, session }: { tap: TapView; session: SessionView }) {
  const words = useWords();
  const now = useNow(10_000);
  return (
    <li className={styles.tap}>
      <ValueLink session={session} text={text} from={{ handle }} />
      <span className={styles.about}>
        <Sentence of={words.taps.one(type, <RelativeTime at={at} now={now} />)} />
      </span>
    </li>
  );
}
