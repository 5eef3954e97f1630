/** Below the list of sessions: their memory in all, with a button to end those that are asleep, for who wants to start with
 * none; or how many are selected, with a button to end them. */
import { Power } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { count, formatBytes } from '../parts/format';
import { useLive } from '../services';
import { EndSessions } from '../session/end-sessions';
import styles from './session-strip.module.css';
import { SortMenu } from './sort-menu';

interface SessionStripProps {
  rows: readonly SessionView[];
  /** Those selected together; empty unless there are two at least. */
  selected: readonly SessionView[];
}

export function SessionStrip({ rows, selected }: SessionStripProps) {
  const [ending, setEnding] = useState<readonly SessionView[] | null>(null);
  const isSelection = selected.length > 1;
  const together = isSelection ? selected : rows.filter(({ state }) => state === 'asleep');
  return (
    <div className={styles.strip}>
      <p role="status">{isSelection ? selectionText(selected) : <Sum rows={rows} />}</p>
      <SortMenu />
      {together.length > 0 && (
        <Button icon={Power} onPress={() => setEnding(together)}>
          End {count(together.length, isSelection ? 'session' : 'sleeping session')}…
        </Button>
      )}
      {ending && <EndSessions sessions={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

function Sum({ rows }: { rows: readonly SessionView[] }) {
  const memory = useLive((state) => state.memory);
  const facts = [`${count(rows.length, 'session')}, ${formatBytes(bytesOf(rows))}`];
  if (memory && memory.ready.images > 0)
    facts.push(`${memory.ready.images} kept ready, ${formatBytes(memory.ready.bytes)}`);
  if (memory) facts.push(`${formatBytes(memory.availableBytes)} available`);
  return facts.join(' · ');
}

function selectionText(selected: readonly SessionView[]): string {
  return `${count(selected.length, 'session')} selected, ${formatBytes(bytesOf(selected))}`;
}

function bytesOf(sessions: readonly SessionView[]): number {
  return sessions.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
}
