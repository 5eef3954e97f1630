/** Below the list of sessions: their memory in all, with a button to end those that are asleep, for who wants to start with
 * none; or how many are selected, with a button to end them. */
import { Power } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { Button } from '../parts/button';
import { useLive, useWords } from '../services';
import { EndSessions } from '../session/end-sessions';
import styles from './session-strip.module.css';
import { SortMenu } from './sort-menu';

interface SessionStripProps {
  rows: readonly SessionView[];
  /** Those selected together; empty unless there are two at least. */
  selected: readonly SessionView[];
}

export function SessionStrip({ rows, selected }: SessionStripProps) {
  const words = useWords();
  const [ending, setEnding] = useState<readonly SessionView[] | null>(null);
  const isSelection = selected.length > 1;
  const together = isSelection ? selected : rows.filter(({ state }) => state === 'asleep');
  return (
    <div className={styles.strip}>
      <p role="status">{isSelection ? selectionText(selected, words) : <Sum rows={rows} />}</p>
      <SortMenu />
      {together.length > 0 && (
        <Button icon={Power} onPress={() => setEnding(together)}>
          {isSelection
            ? words.sessions.endSeveral(together.length)
            : words.sessions.endSleeping(together.length)}
        </Button>
      )}
      {ending && <EndSessions sessions={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

function Sum({ rows }: { rows: readonly SessionView[] }) {
  const words = useWords();
  const memory = useLive((state) => state.memory);
  const { sessions, formats } = words;
  const facts = [sessions.sum(rows.length, formats.bytes(bytesOf(rows)))];
  if (memory && memory.ready.images > 0)
    facts.push(sessions.ready(memory.ready.images, formats.bytes(memory.ready.bytes)));
  if (memory) facts.push(sessions.available(formats.bytes(memory.availableBytes)));
  return facts.join(' · ');
}

function selectionText(selected: readonly SessionView[], { sessions, formats }: Words): string {
  return sessions.selected(selected.length, formats.bytes(bytesOf(selected)));
}

function bytesOf(sessions: readonly SessionView[]): number {
  return sessions.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
}
