/** The view of a value that was chosen. */
import type { InspectionView, Numbers } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { LispBlock } from '../parts/lisp';
import { ScrollArea } from '../parts/scroll-area';
import { useWords } from '../services';
import { BytesView } from './bytes-view';
import { ChartView } from './chart-view';
import { ClassesView } from './classes-view';
import { DifferenceView } from './difference-view';
import styles from './inspector.module.css';
import { PartsView } from './parts-view';
import { TableView } from './table-view';
import { TreeView } from './tree-view';
import type { Enter } from './value';
import { factOf, type ViewName } from './views-of';
import type { Crumb } from './visits';

interface ShownProps {
  view: ViewName;
  session: SessionView;
  inspection: InspectionView;
  numbers: Numbers | null;
  pinned: Crumb | null;
  onEnter: Enter;
}

export function Shown({ view, session, inspection, numbers, pinned, onEnter }: ShownProps) {
  const words = useWords();
  const of = { session, inspection, onEnter };
  switch (view) {
    case 'parts':
      return <PartsView {...of} />;
    case 'tree':
      return <TreeView {...of} />;
    case 'table':
      return <TableView {...of} />;
    case 'chart':
      return numbers && <ChartView numbers={numbers} />;
    case 'bytes':
      return <BytesView {...of} />;
    case 'classes':
      return <ClassesView {...of} />;
    case 'difference':
      return pinned && <DifferenceView session={session} inspection={inspection} pinned={pinned} />;
    case 'documentation':
      return (
        <ScrollArea label={words.inspector.views.documentation} className={styles.text}>
          <p className={styles.documentation}>{factOf(inspection, 'documentation')}</p>
        </ScrollArea>
      );
    case 'printed':
      return (
        <ScrollArea label={words.inspector.views.printed} className={styles.text}>
          <LispBlock code={inspection.text} engine={session.engine} />
        </ScrollArea>
      );
  }
}
