/** Definitions that have changed, of which only those in view are drawn: a file that was loaded can have thousands. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { useWords } from '../services';
import { Group, type PlacedRow } from './change-row';
import { DefinitionRow } from './definition-row';

/** So many changes are shown with their differences; of more the differences are asked for one by one. */
const SHOWN_OPEN = 12;

/** Pixels that a folded row takes. */
const USUAL_HEIGHT = 59;

interface DefinitionRowsProps {
  session: SessionView;
  definitions: readonly DefinitionChange[];
  since: string;
  now: number;
  onWrite: (definition: DefinitionChange) => void;
}

export function DefinitionRows({ definitions, onWrite, ...shared }: DefinitionRowsProps) {
  const words = useWords();
  const canvas = useRef<HTMLUListElement>(null);
  // What a person has unfolded or folded is so still when it comes into view again.
  const folds = useRef(new Map<string, boolean>());
  const rows = useVirtualizer({
    count: definitions.length,
    getScrollElement: () => canvas.current?.closest<HTMLElement>('[data-scroll-area]') ?? null,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => definitions[index]?.key ?? index,
    overscan: 8,
  });
  const placed = (index: number, start: number): PlacedRow => ({
    ref: rows.measureElement,
    style: { transform: `translateY(${start}px)` },
    'data-index': index,
    'aria-posinset': index + 1,
    'aria-setsize': definitions.length,
  });
  const isOpenAtFirst = ({ what }: DefinitionChange) =>
    what === 'redefined' && definitions.length <= SHOWN_OPEN;
  return (
    <Group title={words.changes.definitions} canvas={{ ref: canvas, height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, start }) => {
        const change = definitions[index];
        return (
          change && (
            <DefinitionRow
              key={change.key}
              {...shared}
              change={change}
              isOpen={folds.current.get(change.key) ?? isOpenAtFirst(change)}
              onFold={(open) => folds.current.set(change.key, open)}
              placed={placed(index, start)}
              onWrite={() => onWrite(change)}
            />
          )
        );
      })}
    </Group>
  );
}
