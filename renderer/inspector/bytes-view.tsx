/** A vector of octets: sixteen a line, in hexadecimal digits and as characters. */
import { call } from '../bridge';
import { Problem } from '../parts/feedback';
import { useWords } from '../services';
import { OCTETS_A_LINE, octetLines } from './hexadecimal';
import styles from './inspector.module.css';
import type { ViewProps } from './parts-view';
import { usePages } from './use-pages';
import { VirtualList } from './virtual-list';

/** Lines in one answer. */
const PAGE = 128;

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
    size: PAGE,
    first: rows[0]?.index ?? 0,
    last: rows.at(-1)?.index ?? 0,
    ask: async (line, lines) => {
      const [offset, limit] = [line * OCTETS_A_LINE, lines * OCTETS_A_LINE];
      const found = await call('inspector:octets', { session: session.id, handle, path: [], offset, limit });
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
