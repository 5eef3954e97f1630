/** The parts of a value as a list: all of them, however many, or those that are searched for. */
import { useState } from 'react';
import type { InspectionView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { call } from '../bridge';
import { KEEPS_FOCUS } from '../kept-focus';
import { Problem } from '../parts/feedback';
import { useWords } from '../services';
import styles from './inspector.module.css';
import { PartRow } from './part-row';
import { PartSearch } from './part-search';
import { usePages } from './use-pages';
import type { Enter } from './value';
import { VirtualList } from './virtual-list';

/** Parts in one answer. */
const PAGE = 100;

export interface ViewProps {
  session: SessionView;
  inspection: InspectionView;
  onEnter: Enter;
}

export function PartsView(props: ViewProps) {
  const words = useWords();
  const [sought, setSought] = useState('');
  return (
    <div className={styles.parts}>
      <PartSearch {...props} sought={sought} onSeek={setSought} />
      {sought === '' && (
        <VirtualList label={words.inspector.views.parts} total={props.inspection.total}>
          {(rows) => <Rows rows={rows} {...props} />}
        </VirtualList>
      )}
    </div>
  );
}

function Rows({
  rows,
  session,
  inspection,
  onEnter,
}: ViewProps & { rows: readonly { index: number; top: number }[] }) {
  const { handle, kind } = inspection;
  const pages = usePages({
    queryKey: ['image', session.id, 'value', handle],
    size: PAGE,
    first: rows[0]?.index ?? 0,
    last: rows.at(-1)?.index ?? 0,
    ask: async (offset, limit) =>
      (await call('inspector:look', { session: session.id, handle, path: [], offset, limit })).parts,
  });
  if (pages.error) return <Problem>{pages.error.message}</Problem>;
  return rows.map(({ index, top }) => {
    const part = pages.itemAt(index);
    return (
      <div key={index} data-row={index} className={styles.row} style={{ top }} {...KEEPS_FOCUS}>
        {part && <PartRow session={session} handle={handle} kind={kind} part={part} onEnter={onEnter} />}
      </div>
    );
  });
}
