/** The parts of a value as a table of records: one row per part, one column per field. */

import type { SessionView } from '../../electron/contract/model';
import { harbor } from '../bridge';
import { useRecords } from '../image-queries';
import { Problem } from '../parts/view';
import { useWords } from '../services';
import styles from './inspector.module.css';
import { type Enter, usePages, type ViewProps } from './parts-view';
import { OCTETS_A_LINE, octetLines } from './view-data';
import { VirtualList } from './virtual-list';

const RECORDS_PER_PAGE = 50;

export function TableView({ session, inspection: { handle, total }, onEnter }: ViewProps) {
  const words = useWords();
  const { data } = useRecords(session.id, handle, true);
  const columns = data?.columns ?? [];
  const grid = { gridTemplateColumns: `minmax(48px, 0.6fr) repeat(${columns.length}, minmax(72px, 1fr))` };
  const head = (
    <div className={styles.columns} style={grid} aria-hidden>
      <span />
      {columns.map((column) => (
        <code key={column}>{column}</code>
      ))}
    </div>
  );
  return (
    <div className={styles.parts}>
      <VirtualList label={words.inspector.records} total={total} head={head}>
        {(rows) => (
          <Rows
            session={session}
            handle={handle}
            columns={columns}
            grid={grid}
            rows={rows}
            onEnter={onEnter}
          />
        )}
      </VirtualList>
    </div>
  );
}

interface RowsProps {
  session: SessionView;
  handle: string;
  columns: readonly string[];
  grid: { gridTemplateColumns: string };
  rows: readonly { index: number; top: number }[];
  onEnter: Enter;
}

function Rows({ session, handle, columns, grid, rows, onEnter }: RowsProps) {
  const words = useWords();
  const pages = usePages({
    queryKey: ['image', session.id, 'value', handle, 'records'],
    size: RECORDS_PER_PAGE,
    first: rows[0]?.index ?? 0,
    last: rows.at(-1)?.index ?? 0,
    fetchPage: async (offset, limit) => {
      const page = await harbor.inspector.records({ session: session.id, handle, path: [], offset, limit });
      // Each page has its own columns. Fields that the first records lack are visible only in the record
      // itself.
      return (page?.rows ?? []).map(({ name, cells }) => ({
        name,
        cells: new Map(page?.columns.map((column, place) => [column, cells[place] ?? null])),
      }));
    },
  });
  if (pages.error) return <Problem>{pages.error.message}</Problem>;
  return rows.map(({ index, top }) => {
    const record = pages.itemAt(index);
    return (
      <div key={index} data-row={index} className={styles.record} style={{ top, ...grid }}>
        {record && (
          <>
            <button type="button" className={styles.value} onClick={() => void onEnter([index], record.name)}>
              <code>{record.name}</code>
            </button>
            {columns.map((column) => {
              const text = record.cells.get(column) ?? null;
              return (
                <code
                  key={column}
                  className={styles.cell}
                  title={text === null ? words.inspector.noField(column) : `${column}: ${text}`}
                >
                  {text ?? '–'}
                </code>
              );
            })}
          </>
        )}
      </div>
    );
  });
}

// A hex dump of an octet vector: 16 octets per line, in hexadecimal and as characters.

/** Number of lines per request. */
const LINES_PER_PAGE = 128;

export function BytesView(props: ViewProps) {
  const words = useWords();
  return (
    <div className={styles.parts}>
      <VirtualList
        label={words.inspector.views.bytes}
        total={Math.ceil(props.inspection.total / OCTETS_A_LINE)}
      >
        {(rows) => <Lines rows={rows} {...props} />}
      </VirtualList>
    </div>
  );
}

function Lines({
  rows,
  session,
  inspection: { handle },
}: ViewProps & { rows: readonly { index: number; top: number }[] }) {
  const pages = usePages({
    queryKey: ['image', session.id, 'value', handle, 'octets'],
    size: LINES_PER_PAGE,
    first: rows[0]?.index ?? 0,
    last: rows.at(-1)?.index ?? 0,
    fetchPage: async (line, lines) => {
      const [offset, limit] = [line * OCTETS_A_LINE, lines * OCTETS_A_LINE];
      const found = await harbor.inspector.octets({ session: session.id, handle, path: [], offset, limit });
      return octetLines(found?.digits ?? '');
    },
  });
  if (pages.error) return <Problem>{pages.error.message}</Problem>;
  return rows.map(({ index, top }) => {
    const line = pages.itemAt(index);
    return (
      <div key={index} data-row={index} className={styles.octets} style={{ top }}>
        <code>{(index * OCTETS_A_LINE).toString(16).padStart(8, '0')}</code>
        {line && (
          <>
            <code>{line.digits}</code>
            <code>{line.characters}</code>
          </>
        )}
      </div>
    );
  });
}
