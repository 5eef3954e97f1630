/** What is shown beside what was pinned: the parts that print otherwise. */
import type { InspectionView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { useInspection } from '../image-queries';
import { Problem } from '../parts/feedback';
import { count } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { differences } from './difference';
import styles from './inspector.module.css';
import type { Crumb } from './visits';

/** Parts of either that are compared. */
const COMPARED = { path: [], offset: 0, limit: 500 };

interface DifferenceViewProps {
  session: SessionView;
  inspection: InspectionView;
  pinned: Crumb;
}

export function DifferenceView({ session, inspection, pinned }: DifferenceViewProps) {
  const one = useInspection(session.id, pinned.handle, COMPARED);
  const other = useInspection(session.id, inspection.handle, COMPARED);
  const error = one.error ?? other.error;
  if (error) return <Problem tone="warn">{error.message}</Problem>;
  if (!one.data || !other.data) return null;
  const { differing, alike } = differences(one.data.parts, other.data.parts);
  const left = Math.max(one.data.total, other.data.total) - COMPARED.limit;
  return (
    <ScrollArea label="Difference" className={styles.text}>
      <table className={styles.difference}>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Pinned</th>
            <th scope="col">This one</th>
          </tr>
        </thead>
        <tbody>
          {one.data.text !== other.data.text && (
            <tr>
              <th scope="row">printed</th>
              <Cell text={one.data.text} />
              <Cell text={other.data.text} />
            </tr>
          )}
          {differing.map(({ name, one: before, other: after }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <Cell text={before} />
              <Cell text={after} />
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.hint}>
        {`${differing.length.toLocaleString('en-US')} differ`}
        {`, ${count(alike, 'part')} alike`}
        {left > 0 && `; ${left.toLocaleString('en-US')} more are not compared`}
      </p>
    </ScrollArea>
  );
}

function Cell({ text }: { text: string | null }) {
  return <td>{text === null ? <span className={styles.absent}>none</span> : <code>{text}</code>}</td>;
}
