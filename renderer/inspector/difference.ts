/** How two values differ, part by part. Pure. */
import type { InspectionView } from '../../electron/contract/inspection';
import type { Words } from '../../electron/words/words';

type Part = InspectionView['parts'][number];

export interface Difference {
  name: string;
  /** How the part prints on either side; null where it has no such part. */
  one: string | null;
  other: string | null;
}

/** Parts by their names; those that print alike are counted only. */
export function differences(
  one: readonly Part[],
  other: readonly Part[],
  { inspector: { unbound: absent } }: Words,
): { differing: Difference[]; alike: number } {
  const textOf = ({ text, unbound, problem }: Part): string => problem ?? (unbound ? absent : (text ?? ''));
  const others = new Map(other.map((part) => [part.name, part]));
  const names = new Set(one.map(({ name }) => name));
  const rows: Difference[] = [
    ...one.map((part) => {
      const found = others.get(part.name);
      return { name: part.name, one: textOf(part), other: found ? textOf(found) : null };
    }),
    ...other
      .filter(({ name }) => !names.has(name))
      .map((part) => ({ name: part.name, one: null, other: textOf(part) })),
  ];
  const differing = rows.filter((row) => row.one !== row.other);
  return { differing, alike: rows.length - differing.length };
}
