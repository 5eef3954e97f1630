/**
 * The list of sessions: two lines each, with a menu, or a rail of state marks and names. Supports multiple
 * selection.
 */

import { ShieldOff } from 'lucide-react';
import { GridList, GridListItem, type Selection } from 'react-aria-components';
import type { SessionId, SessionView } from '../../electron/contract/model';
import { useRememberedScroll } from '../parts/scroll-area';
import { NetworkMark, SessionMark } from '../parts/state-mark';
import { useNow } from '../parts/text';
import { TrustMark } from '../proofs/trust-badge';
import { useLive, useRoute, useServices, useWords } from '../services';
import { SessionMenu } from '../session/session-detail';
import { isIdle, pointsOf } from './session-list';
import styles from './session-rows.module.css';

interface SessionRowsProps {
  rows: readonly SessionView[];
  /** The multiple selection; empty for fewer than two sessions. */
  several: readonly SessionView[];
  rail?: boolean;
}

export function SessionRows({ rows, several, rail = false }: SessionRowsProps) {
  const words = useWords();
  const { route, viewState } = useServices();
  const selected = useRoute(({ session }) => session);
  const scroll = useRememberedScroll<HTMLDivElement>('sessions');
  const now = useNow(10_000);
  const alone = selected === null ? [] : [selected];
  return (
    <GridList
      ref={scroll}
      aria-label={words.sessions.title}
      className={styles.list ?? ''}
      data-narrow={rail || undefined}
      items={rows}
      dependencies={[now, words]}
      selectionMode="multiple"
      selectionBehavior="replace"
      disallowEmptySelection
      escapeKeyBehavior="none"
      selectedKeys={several.length > 0 ? several.map(({ id }) => id) : alone}
      onSelectionChange={(keys) => {
        const chosen = chosenOf(keys, rows);
        viewState.setState({ selectedSessions: chosen.length > 1 ? chosen : [] });
        // The detail stays while sessions are added to the selection.
        const shown = chosen.find((id) => id === selected) ?? chosen[0] ?? null;
        route.setState({ session: shown, typing: false });
      }}
      onAction={(key) => route.setState({ session: String(key), typing: true })}
    >
      {(session) => (
        <GridListItem id={session.id} textValue={session.name} className={styles.row ?? ''}>
          <First session={session} />
          <Second session={session} now={now} />
          <SessionMenu session={session} label={words.sessions.actionsOf(session.name)} />
        </GridListItem>
      )}
    </GridList>
  );
}

function First({ session }: { session: SessionView }) {
  const words = useWords();
  const { name, note, engine, trust, state, sandbox } = session;
  return (
    <div className={styles.line}>
      <span className={styles.name} title={note === '' ? name : `${name}: ${note}`} data-name>
        {name}
      </span>
      <span className={styles.marks}>
        {trust && state !== 'lost' && <TrustMark issues={trust} short />}
        <NetworkMark {...session} />
        {!sandbox.confined && (
          <span className={styles.open} title={sandbox.reason}>
            <ShieldOff size={13} aria-label={words.sessions.notSandboxed} />
          </span>
        )}
      </span>
      <span className={styles.engine}>{engine}</span>
    </div>
  );
}

function Second({ session, now }: { session: SessionView; now: number }) {
  const words = useWords();
  const { client, lastUsedAt, memoryBytes, state } = session;
  const idle = Math.max(0, now - lastUsedAt);
  return (
    <div className={styles.line}>
      <SessionMark {...session} />
      <span className={styles.who}>
        {words.common.client(client)}
        {isIdle(session) && state !== 'asleep' && (
          <time
            dateTime={new Date(lastUsedAt).toISOString()}
            title={words.sessions.lastUsed(words.formats.exact(lastUsedAt))}
          >{` · ${words.formats.age(idle)}`}</time>
        )}
      </span>
      <MemoryLine session={session.id} />
      <span className={styles.memory}>{memoryBytes === null ? '–' : words.formats.bytes(memoryBytes)}</span>
    </div>
  );
}

function chosenOf(keys: Selection, rows: readonly SessionView[]): SessionId[] {
  return keys === 'all' ? rows.map(({ id }) => id) : [...keys].map(String);
}

// A small graph of a session's recent memory usage.

const WIDTH = 36;
const HEIGHT = 12;
const NONE: readonly number[] = [];

function MemoryLine({ session }: { session: SessionId }) {
  const readings = useLive(({ memories }) => memories.get(session)) ?? NONE;
  if (readings.length < 2) return null;
  return (
    <svg className={styles.memoryLine} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={pointsOf(readings, WIDTH, HEIGHT)} />
    </svg>
  );
}
