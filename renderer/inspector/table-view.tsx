/** The parts of a value as records: a row each, a column for each field. */
import type { SessionView } from '../../electron/contract/model';
import { call } from '../bridge';
import { useRecords } from '../image-queries';
import { Problem } from '../parts/feedback';
import { useWords } from '../services';
import styles from './inspector.module.css';
import type { ViewProps } from './parts-view';
import { usePages } from './use-pages';
import type { Enter } from './value';
import { VirtualList } from './virtual-list';

const PAGE = 50;

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
    size: PAGE,
    first: rows[0]?.index ?? 0,
    last: rows.at(-1)?.index ?? 0,
    ask: async (offset, limit) => {
      const page = await call('inspector:records', { session: session.id, handle, path: [], offset, limit });
      // A page has columns of its own: fields that the first records do not have are seen in the record.
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
