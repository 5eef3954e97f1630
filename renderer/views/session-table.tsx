/** The list of sessions: one row each, sorted by a column, one selected. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Cell, Column, type Key, Row, Table, TableBody, TableHeader } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import type { SessionColumn } from '../kept';
import { formatAge, formatBytes, formatExact } from '../parts/format';
import { useKeptScroll } from '../parts/scroll-area';
import { SessionMark } from '../parts/state-mark';
import tables from '../parts/table.module.css';
import { useNow } from '../parts/time';
import { useKept, usePlace, useServices } from '../services';
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
    render: ({ state }) => <SessionMark state={state} />,
  },
  {
    id: 'name',
    title: 'Name',
    style: tables.strong ?? '',
    render: ({ name }) => <span title={name}>{name}</span>,
  },
  { id: 'engine', title: 'Engine', style: styles.engine ?? '', render: ({ engine }) => engine },
  {
    id: 'package',
    title: 'Package',
    style: `${styles.package} ${tables.mono}`,
    render: (session) => <span title={session.package}>{session.package}</span>,
  },
  { id: 'client', title: 'Client', style: styles.client ?? '', render: ({ client }) => client },
  { id: 'pid', title: 'PID', style: `${styles.pid} ${figure}`, render: ({ pid }) => pid ?? '–' },
  {
    id: 'memory',
    title: 'Memory',
    style: `${styles.memory} ${figure}`,
    render: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatBytes(memoryBytes)),
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

export function SessionTable({ rows }: { rows: readonly SessionView[] }) {
  const { place, kept } = useServices();
  const selected = usePlace(({ session }) => session);
  const sort = useKept(({ sessionSort }) => sessionSort);
  const scroll = useKeptScroll<HTMLDivElement>('sessions');
  const now = useNow(10_000);
  return (
    <div ref={scroll} className={tables.scroll}>
      <Table
        aria-label="Sessions"
        className={tables.table ?? ''}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        // Escape closes the detail; the table would take the key for itself and do nothing.
        escapeKeyBehavior="none"
        selectedKeys={selected === null ? [] : [selected]}
        onSelectionChange={(keys) => place.setState({ session: firstKey(keys), typing: false })}
        onRowAction={(key) => place.setState({ session: String(key), tab: 'repl', typing: true })}
        sortDescriptor={sort}
        onSortChange={({ column, direction }) =>
          kept.setState({ sessionSort: { column: column as SessionColumn, direction } })
        }
      >
        <TableHeader columns={COLUMNS}>
          {({ id, title, style }) => (
            <Column id={id} isRowHeader={id === 'name'} allowsSorting className={style}>
              {({ sortDirection }) => <Heading title={title} direction={sortDirection} />}
            </Column>
          )}
        </TableHeader>
        <TableBody items={rows} dependencies={[now]}>
          {(session) => (
            <Row id={session.id} columns={COLUMNS} dependencies={[session, now]}>
              {({ style, render }) => <Cell className={style}>{render(session, now)}</Cell>}
            </Row>
          )}
        </TableBody>
      </Table>
    </div>
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

function firstKey(keys: 'all' | Set<Key>): string | null {
  const [key] = keys === 'all' ? [] : keys;
  return key === undefined ? null : String(key);
}
