/** The table of sessions: a row each with a button to end it, sorted by a column. One or several can be selected. */
import { ArrowDown, ArrowUp, Power } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  Cell,
  Column,
  Row,
  type Selection,
  Table,
  TableBody,
  TableHeader,
  VisuallyHidden,
} from 'react-aria-components';
import type { SessionId, SessionView } from '../../electron/contract/model';
import { IconButton } from '../parts/button';
import { formatAge, formatBytes, formatExact } from '../parts/format';
import { useRememberedScroll } from '../parts/scroll-area';
import { NetworkMark, SessionMark } from '../parts/state-mark';
import tables from '../parts/table.module.css';
import { useNow } from '../parts/time';
import { TrustMark } from '../proofs/trust-badge';
import { useRoute, useServices, useViewState } from '../services';
import { EndSessions } from '../session/end-sessions';
import type { SessionColumn } from '../view-state';
import { isIdle } from './session-list';
import styles from './session-table.module.css';

interface ColumnShape {
  id: SessionColumn;
  title: string;
  style: string;
  render: (session: SessionView, now: number) => ReactNode;
}

const figure = tables.figure ?? '';

const COLUMNS: readonly ColumnShape[] = [
  {
    id: 'state',
    title: 'State',
    style: styles.state ?? '',
    render: (session) => <SessionMark {...session} />,
  },
  {
    id: 'name',
    title: 'Name',
    style: tables.strong ?? '',
    render: (session) => <Name {...session} />,
  },
  { id: 'engine', title: 'Engine', style: styles.engine ?? '', render: ({ engine }) => engine },
  {
    id: 'package',
    title: 'Package',
    style: `${styles.package} ${tables.mono}`,
    render: (session) => <span title={session.package}>{session.package}</span>,
  },
  { id: 'client', title: 'Client', style: styles.client ?? '', render: ({ client }) => client },
  {
    id: 'trust',
    title: 'Trust',
    style: styles.trust ?? '',
    render: ({ trust, state }) => trust && state !== 'lost' && <TrustMark issues={trust} short />,
  },
  { id: 'pid', title: 'PID', style: `${styles.pid} ${figure}`, render: ({ pid }) => pid ?? '–' },
  {
    id: 'memory',
    title: 'Memory',
    style: `${styles.memory} ${figure}`,
    render: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatBytes(memoryBytes)),
  },
  {
    id: 'idle',
    title: 'Idle',
    style: `${styles.idle} ${figure}`,
    render: (session, now) => (isIdle(session) ? <IdleFor since={session.lastUsedAt} now={now} /> : '–'),
  },
  {
    id: 'age',
    title: 'Age',
    style: `${styles.age} ${figure}`,
    render: ({ startedAt }, now) => (
      <time dateTime={new Date(startedAt).toISOString()} title={`Opened ${formatExact(startedAt)}`}>
        {formatAge(now - startedAt)}
      </time>
    ),
  },
];

/** A column of its own, because it sorts nothing. */
const END = 'end';

interface SessionTableProps {
  rows: readonly SessionView[];
  /** Those selected together; empty unless there are two at least. */
  several: readonly SessionView[];
}

export function SessionTable({ rows, several }: SessionTableProps) {
  const { route, viewState } = useServices();
  const selected = useRoute(({ session }) => session);
  const sort = useViewState(({ sessionSort }) => sessionSort);
  const scroll = useRememberedScroll<HTMLDivElement>('sessions');
  const now = useNow(10_000);
  const [ending, setEnding] = useState<SessionView | null>(null);
  const alone = selected === null ? [] : [selected];
  const proving = rows.some(({ trust }) => trust !== null);
  const columns = proving ? COLUMNS : COLUMNS.filter(({ id }) => id !== 'trust');
  return (
    <div ref={scroll} className={tables.scroll}>
      <Table
        aria-label="Sessions"
        className={`${tables.table} ${proving ? styles.withTrust : ''}`}
        selectionMode="multiple"
        selectionBehavior="replace"
        disallowEmptySelection
        // Escape closes the detail; the table would take the key for itself and do nothing.
        escapeKeyBehavior="none"
        selectedKeys={several.length > 0 ? several.map(({ id }) => id) : alone}
        onSelectionChange={(keys) => {
          const chosen = chosenOf(keys, rows);
          viewState.setState({ selectedSessions: chosen.length > 1 ? chosen : [] });
          // The detail stays where it is while others are added.
          const shown = chosen.find((id) => id === selected) ?? chosen[0] ?? null;
          route.setState({ session: shown, typing: false });
        }}
        onRowAction={(key) => route.setState({ session: String(key), tab: 'repl', typing: true })}
        sortDescriptor={sort}
        onSortChange={({ column, direction }) =>
          viewState.setState({ sessionSort: { column: column as SessionColumn, direction } })
        }
      >
        <TableHeader>
          {columns.map(({ id, title, style }) => (
            <Column key={id} id={id} isRowHeader={id === 'name'} allowsSorting className={style}>
              {({ sortDirection }) => <Heading title={title} direction={sortDirection} />}
            </Column>
          ))}
          <Column id={END} className={styles.end ?? ''}>
            <VisuallyHidden>End</VisuallyHidden>
          </Column>
        </TableHeader>
        <TableBody items={rows} dependencies={[now, columns.length]}>
          {(session) => (
            <Row id={session.id} dependencies={[session, now, columns.length]}>
              {columns.map(({ id, style, render }) => (
                <Cell key={id} className={style}>
                  {render(session, now)}
                </Cell>
              ))}
              <Cell className={styles.end ?? ''}>
                <IconButton icon={Power} label={`End ${session.name}…`} onPress={() => setEnding(session)} />
              </Cell>
            </Row>
          )}
        </TableBody>
      </Table>
      {ending && <EndSessions sessions={[ending]} onClose={() => setEnding(null)} />}
    </div>
  );
}

function Name({ name, sandbox }: Pick<SessionView, 'name' | 'sandbox'>) {
  return (
    <span className={styles.name}>
      <span title={name}>{name}</span>
      <NetworkMark sandbox={sandbox} />
    </span>
  );
}

function IdleFor({ since, now }: { since: number; now: number }) {
  return (
    <time dateTime={new Date(since).toISOString()} title={`Last used ${formatExact(since)}`}>
      {formatAge(Math.max(0, now - since))}
    </time>
  );
}

function Heading({ title, direction }: { title: string; direction: 'ascending' | 'descending' | undefined }) {
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <>
      {title}
      {direction && <Arrow size={12} className={tables.sort} aria-hidden />}
    </>
  );
}

function chosenOf(keys: Selection, rows: readonly SessionView[]): SessionId[] {
  return keys === 'all' ? rows.map(({ id }) => id) : [...keys].map(String);
}
