/** Shown while memory is short: how much is left, and which sessions a person could end. Nothing ends by itself. */
import { Power } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { IconButton } from '../parts/button';
import { Problem } from '../parts/feedback';
import { useNow } from '../parts/time';
import { useLive, useWords } from '../services';
import { EndSessions } from '../session/end-sessions';
import styles from './memory-short.module.css';
import { worthEnding } from './session-list';

/** Sessions named in each row. */
const NAMED = 3;

export function MemoryShort() {
  const words = useWords();
  const memory = useLive((state) => state.memory);
  const sessions = useLive((state) => state.sessions);
  const now = useNow(10_000);
  const [ending, setEnding] = useState<SessionView | null>(null);
  const { formats } = words;
  if (!memory?.short) return null;
  const { largest, longestIdle } = worthEnding(sessions.values(), NAMED);
  return (
    <section aria-label={words.sessions.memory} className={styles.short}>
      <Problem tone="warn">
        {words.sessions.memoryShort(formats.bytes(memory.availableBytes), formats.bytes(memory.totalBytes))}
      </Problem>
      <dl className={styles.rows}>
        <Named title={words.sessions.takeMost} sessions={largest} onEnd={setEnding}>
          {({ memoryBytes }) => formats.bytes(memoryBytes ?? 0)}
        </Named>
        <Named title={words.sessions.idleLongest} sessions={longestIdle} onEnd={setEnding}>
          {({ lastUsedAt }) => formats.age(Math.max(0, now - lastUsedAt))}
        </Named>
      </dl>
      {ending && <EndSessions sessions={[ending]} onClose={() => setEnding(null)} />}
    </section>
  );
}

interface NamedProps {
  title: string;
  sessions: readonly SessionView[];
  onEnd: (session: SessionView) => void;
  /** The figure behind a session's name. */
  children: (session: SessionView) => string;
}

function Named({ title, sessions, onEnd, children }: NamedProps) {
  const words = useWords();
  if (sessions.length === 0) return null;
  return (
    <div className={styles.row}>
      <dt>{title}</dt>
      {sessions.map((session) => (
        <dd key={session.id}>
          <span className={styles.name}>{session.name}</span>
          <span className={styles.figure}>{children(session)}</span>
          <IconButton icon={Power} label={words.sessions.end(session.name)} onPress={() => onEnd(session)} />
        </dd>
      ))}
    </div>
  );
}
