/** The views of a value, by its kind and facts. The first is the default. Pure. */

import type { InspectionView, Numbers, Records } from '../../electron/contract/inspection';
import type { Words } from '../../electron/words/words';

export type ViewName = keyof Words['inspector']['views'];

/** Sequences with more numbers than this are drawn by default. */
const MANY = 12;

interface Looked {
  inspection: Pick<InspectionView, 'kind' | 'facts' | 'total' | 'type'>;
  records: Records | null;
  numbers: Numbers | null;
  isPinned: boolean;
}

export function viewsOf({ inspection, records, numbers, isPinned }: Looked): ViewName[] {
  const { kind, total } = inspection;
  const isDrawn = numbers !== null && numbers.total > 1 && numbers.others === 0;
  const isTable = records !== null && records.columns.length > 0;
  const isBytes = isOctets(inspection);
  return [
    ...(isPinned ? ['difference' as const] : []),
    ...(isBytes ? ['bytes' as const] : []),
    ...(kind === 'class' ? ['classes' as const] : []),
    ...(isDrawn && !isBytes && numbers.total > MANY ? ['chart' as const] : []),
    ...(isTable && hasNames(records) ? ['table' as const] : []),
    ...(total > 0 ? (['parts', 'tree'] as const) : []),
    ...(isTable && !hasNames(records) ? ['table' as const] : []),
    ...(isDrawn && (isBytes || numbers.total <= MANY) ? ['chart' as const] : []),
    'printed',
    ...(factOf(inspection, 'documentation') === null ? [] : ['documentation' as const]),
  ];
}

/** Reports whether the value may be a sequence of records. */
export function mayBeTable({ kind, total }: Pick<InspectionView, 'kind' | 'total'>): boolean {
  return total > 0 && /^(?:list|vector|hash table|map|set|sequence|collection|array)$/.test(kind);
}

export function mayBeDrawn({ kind, total }: Pick<InspectionView, 'kind' | 'total'>): boolean {
  return total > 1 && /^(?:list|vector|sequence|collection|array)$/.test(kind);
}

export function factOf({ facts }: Pick<InspectionView, 'facts'>, name: string): string | null {
  return facts.find((fact) => fact.name === name)?.text ?? null;
}

function isOctets(inspection: Pick<InspectionView, 'facts' | 'type'>): boolean {
  return factOf(inspection, 'element type') === '(UNSIGNED-BYTE 8)' || inspection.type === 'byte[]';
}

/** Reports whether the columns have names. Elements of lists have only numbers. */
function hasNames({ columns }: Records): boolean {
  return columns.some((column) => !/^\d+$/.test(column));
}

type Part = InspectionView['parts'][number];

interface Difference {
  name: string;
  /** The printed form of the part on each side; null if the side lacks the part. */
  one: string | null;
  other: string | null;
}

/** Compares parts by name. Parts that print alike are only counted. */
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

/** Number of octets per line of a hex dump. */
export const OCTETS_A_LINE = 16;

interface OctetLine {
  /** Two hexadecimal digits per octet, as `00 1f ff`. */
  digits: string;
  /** The characters, with a dot for each octet that is not printable ASCII. */
  characters: string;
}

/** @param digits two for each octet */
export function octetLines(digits: string): OctetLine[] {
  const octets = digits.match(/../g) ?? [];
  return Array.from({ length: Math.ceil(octets.length / OCTETS_A_LINE) }, (_, line) => {
    const here = octets.slice(line * OCTETS_A_LINE, (line + 1) * OCTETS_A_LINE);
    return { digits: here.join(' '), characters: here.map(characterOf).join('') };
  });
}

function characterOf(digits: string): string {
  const code = Number.parseInt(digits, 16);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '·';
}
