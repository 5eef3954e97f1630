/** Shown while memory is short: how much is left, and which sessions a person could end. Nothing ends by itself. */
import { Power } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { IconButton } from '../parts/button';
import { Problem } from '../parts/feedback';
import { formatAge, formatBytes } from '../parts/format';
import { useNow } from '../parts/time';
import { useLive } from '../services';
import { EndSessions } from '../session/end-sessions';
import styles from './memory-short.module.css';
import { worthEnding } from './session-list';

/** Sessions named in each row. */
const NAMED = 3;

export function MemoryShort() {
  const memory = useLive((state) => state.memory);
  const sessions = useLive((state) => state.sessions);
  const now = useNow(10_000);
  const [ending, setEnding] = useState<SessionView | null>(null);
  if (!memory?.short) return null;
  const { largest, longestIdle } = worthEnding(sessions.values(), NAMED);
  return (
    <section aria-label="Memory of this computer" className={styles.short}>
      <Problem tone="warn">
        Memory is short: {formatBytes(memory.availableBytes)} of {formatBytes(memory.totalBytes)} are
        available. Nothing ends by itself.
      </Problem>
      <dl className={styles.rows}>
        <Named title="Take most" sessions={largest} onEnd={setEnding}>
          {({ memoryBytes }) => formatBytes(memoryBytes ?? 0)}
        </Named>
        <Named title="Idle for longest" sessions={longestIdle} onEnd={setEnding}>
          {({ lastUsedAt }) => formatAge(Math.max(0, now - lastUsedAt))}
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
  if (sessions.length === 0) return null;
  return (
    <div className={styles.row}>
      <dt>{title}</dt>
      {sessions.map((session) => (
        <dd key={session.id}>
          <span className={styles.name}>{session.name}</span>
          <span className={styles.figure}>{children(session)}</span>
          <IconButton icon={Power} label={`End ${session.name}…`} onPress={() => onEnd(session)} />
        </dd>
      ))}
    </div>
  );
}
