/** A value as a tree of parts that the user expands. */

import { ArrowDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { InspectionView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { useInspection } from '../image-queries';
import { Button } from '../parts/button';
import { ScrollArea } from '../parts/scroll-area';
import { Problem } from '../parts/view';
import { useWords } from '../services';
import styles from './inspector.module.css';
import type { Enter, ViewProps } from './parts-view';
import { factOf } from './view-data';

/** Number of children per request. */
const PAGE = 50;

export function TreeView({ session, inspection: { handle }, onEnter }: ViewProps) {
  const words = useWords();
  return (
    <ScrollArea label={words.inspector.views.tree} className={styles.tree}>
      <Branch session={session} handle={handle} path={[]} onEnter={onEnter} />
    </ScrollArea>
  );
}

interface BranchProps {
  session: SessionView;
  handle: string;
  path: number[];
  onEnter: Enter;
}

function Branch({ session, handle, path, onEnter }: BranchProps) {
  const words = useWords();
  const [limit, setLimit] = useState(PAGE);
  const { data, error } = useInspection(session.id, handle, { path, offset: 0, limit });
  if (!data) return error ? <Problem>{error.message}</Problem> : null;
  if (data.total === 0) return <p className={styles.hint}>{words.inspector.noParts}</p>;
  return (
    <ul className={styles.branch}>
      {data.parts.map((part) => (
        <Node key={part.index} session={session} handle={handle} path={path} part={part} onEnter={onEnter} />
      ))}
      {data.total > data.parts.length && (
        <li>
          <Button onPress={() => setLimit(limit + PAGE)}>
            {words.inspector.more(words.formats.number(data.total - data.parts.length))}
          </Button>
        </li>
      )}
    </ul>
  );
}

type NodeProps = BranchProps & { part: InspectionView['parts'][number] };

function Node({ session, handle, path, part, onEnter }: NodeProps) {
  const words = useWords();
  const [open, setOpen] = useState(false);
  const { index, name, text, unbound, problem } = part;
  const isAbsent = unbound === true || problem !== undefined;
  const here = [...path, index];
  return (
    <li>
      <span className={styles.node}>
        <button
          type="button"
          className={styles.toggle}
          disabled={isAbsent}
          aria-expanded={open}
          aria-label={words.inspector.partsOf(name)}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={12} aria-hidden />
        </button>
        <code className={styles.nodeName}>{name}</code>
        {isAbsent ? (
          <span className={styles.absent}>{problem ?? words.inspector.unbound}</span>
        ) : (
          <button type="button" className={styles.value} onClick={() => void onEnter(here, name)}>
            <code>{text}</code>
          </button>
        )}
      </span>
      {open && <Branch session={session} handle={handle} path={here} onEnter={onEnter} />}
    </li>
  );
}

// A class with its superclasses, subclasses and slots.

type Part = InspectionView['parts'][number];

/** Maximum number of parts. The parts view has the others. */
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
  label: string /** Whether the row is above the class. */;
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

/** Returns `BUOY` for `#<STANDARD-CLASS COMMON-LISP-USER::BUOY>`. */
function classNameIn(text: string): string {
  return /^#<\S+ (?:\S*:)?(.+)>$/.exec(text)?.[1] ?? text;
}
