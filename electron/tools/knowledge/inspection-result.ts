/** What `inspect` answers of a value: its parts as data, and all as text with every fact of the data. */
import type { Fact, Part } from '../../contract/inspection';
import { objectHandle } from '../../sessions/object-handle';

/** A part as results show it; the schema that clients see leaves out most of it. */
export type PartResult = Omit<Part, 'object'> & { handle?: string };

export interface InspectionResult {
  session: string;
  handle: string;
  kind: string;
  type: string;
  text: string;
  facts: readonly Fact[];
  parts: readonly PartResult[];
  total: number;
  next_offset: number | null;
  notes: readonly string[];
}

export function partResult({ object, ...part }: Part, generation: number): PartResult {
  return { ...part, ...(object === undefined ? {} : { handle: objectHandle(object, generation) }) };
}

/** @param isNew whether the session is to be named */
export function inspectionText(result: InspectionResult, isNew: boolean): string {
  const { session, handle, kind, type, text, facts, parts, notes } = result;
  return [
    `${handle} · ${kind} · ${type}`,
    text,
    ...facts.map((fact) => `${fact.name}: ${fact.text}`),
    ...(parts.length > 0 ? ['[parts]', ...parts.map(partText)] : []),
    `; ${[countText(result), ...(isNew ? [session] : [])].join(' · ')}`,
    ...notes.map((note) => `; note: ${note}`),
  ].join('\n');
}

function countText({ parts, total, next_offset }: InspectionResult): string {
  if (total === 0) return 'no parts';
  const more = next_offset === null ? 'end of the parts' : `more with offset ${next_offset}`;
  return `${parts.length} of ${total} parts · ${more}`;
}

function partText({ index, name, settable, handle, ...value }: PartResult): string {
  const label = name === String(index) ? name : `${index} ${name}`;
  const shown = [`${label}: ${valueText(value)}`, handle, settable ? 'settable' : undefined];
  return shown.filter((each) => each !== undefined).join(' · ');
}

function valueText({ unbound, problem, text, type }: Partial<PartResult>): string {
  if (problem !== undefined) return `cannot be had: ${problem}`;
  return unbound ? 'unbound' : [text, type].filter((each) => each !== undefined).join(' · ');
}
