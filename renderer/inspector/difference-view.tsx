/** What is shown beside what was pinned: the parts that print otherwise. */
import type { InspectionView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { useInspection } from '../image-queries';
import { Problem } from '../parts/feedback';
import { ScrollArea } from '../parts/scroll-area';
import { useWords } from '../services';
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
  const words = useWords();
  const one = useInspection(session.id, pinned.handle, COMPARED);
  const other = useInspection(session.id, inspection.handle, COMPARED);
  const error = one.error ?? other.error;
  if (error) return <Problem tone="warn">{error.message}</Problem>;
  if (!one.data || !other.data) return null;
  const { differing, alike } = differences(one.data.parts, other.data.parts, words);
  const left = Math.max(one.data.total, other.data.total) - COMPARED.limit;
  return (
    <ScrollArea label={words.inspector.views.difference} className={styles.text}>
      <table className={styles.difference}>
        <thead>
          <tr>
            <th scope="col">{words.inspector.part}</th>
            <th scope="col">{words.inspector.pinned}</th>
            <th scope="col">{words.inspector.thisOne}</th>
          </tr>
        </thead>
        <tbody>
          {one.data.text !== other.data.text && (
            <tr>
              <th scope="row">{words.inspector.printed}</th>
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
        {words.inspector.differ(words.formats.number(differing.length))}
        {words.inspector.alike(alike)}
        {left > 0 && words.inspector.notCompared(words.formats.number(left))}
      </p>
    </ScrollArea>
  );
}

function Cell({ text }: { text: string | null }) {
  const words = useWords();
  return (
    <td>
      {text === null ? <span className={styles.absent}>{words.common.none}</span> : <code>{text}</code>}
    </td>
  );
}
