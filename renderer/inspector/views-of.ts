/** Which views say something of a value, by its kind and facts; the first is shown unless a person chose another. Pure. */
import type { InspectionView, Numbers, Records } from '../../electron/contract/inspection';
import type { Words } from '../../electron/words/words';

export type ViewName = keyof Words['inspector']['views'];

/** Numbers that are easier to see drawn than listed. */
const MANY = 12;

export interface Looked {
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

/** Sequences and tables are what can be made of records, or of numbers. */
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

/** Whether the fields are called something: elements of lists have only numbers. */
function hasNames({ columns }: Records): boolean {
  return columns.some((column) => !/^\d+$/.test(column));
}
