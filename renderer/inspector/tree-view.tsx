/** A value with its parts below it, and theirs below those, as far as a person opens them. */
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { InspectionView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { useInspection } from '../image-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { ScrollArea } from '../parts/scroll-area';
import { useWords } from '../services';
import styles from './inspector.module.css';
import type { ViewProps } from './parts-view';
import type { Enter } from './value';

/** Parts of one node that are shown at first, and how many more each time. */
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
