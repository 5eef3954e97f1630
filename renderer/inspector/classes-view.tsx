/** A class among those above and below it, each of which leads there; and the order in which it inherits. */
import { ArrowDown } from 'lucide-react';
import type { InspectionView } from '../../electron/contract/inspection';
import { useInspection } from '../image-queries';
import { ScrollArea } from '../parts/scroll-area';
import { useWords } from '../services';
import styles from './inspector.module.css';
import type { ViewProps } from './parts-view';
import type { Enter } from './value';
import { factOf } from './views-of';

type Part = InspectionView['parts'][number];

/** More are in the list of its parts. */
const MOST = 500;

export function ClassesView({ session, inspection: { handle }, onEnter }: ViewProps) {
  const words = useWords();
  const { data } = useInspection(session.id, handle, { path: [], offset: 0, limit: MOST });
  if (!data) return null;
  const called = (word: string) => data.parts.filter(({ name }) => name.startsWith(word));
  const slots = called('slot ');
  return (
    <ScrollArea label={words.inspector.views.classes} className={styles.classes}>
      <Row label={words.inspector.superclasses} above parts={called('superclass ')} onEnter={onEnter} />
      <p className={styles.thisClass}>
        <code>{factOf(data, 'name') ?? data.text}</code>
        {slots.length > 0 && <span>{slots.map(({ name }) => name.slice('slot '.length)).join(', ')}</span>}
      </p>
      <Row label={words.inspector.subclasses} parts={called('subclass ')} onEnter={onEnter} />
    </ScrollArea>
  );
}

interface RowProps {
  label: string /** Whether it stands above the class. */;
  above?: boolean;
  parts: readonly Part[];
  onEnter: Enter;
}
function Row({ label, above = false, parts, onEnter }: RowProps) {
  if (parts.length === 0) return null;
  const list = (
    <ul aria-label={label}>
      {parts.map(({ index, text }) => (
        <li key={index}>
          <button type="button" onClick={() => void onEnter([index], classNameIn(text ?? ''))}>
            <code>{classNameIn(text ?? '')}</code>
          </button>
        </li>
      ))}
    </ul>
  );
  const arrow = <ArrowDown size={14} aria-hidden />;
  return above ? (
    <>
      {list}
      {arrow}
    </>
  ) : (
    <>
      {arrow}
      {list}
    </>
  );
}

/** `#<STANDARD-CLASS COMMON-LISP-USER::BUOY>` is called BUOY. */
function classNameIn(text: string): string {
  return /^#<\S+ (?:\S*:)?(.+)>$/.exec(text)?.[1] ?? text;
}
