/** What `inspect` answers of a value: its parts as data, and as text in the fewest words. */
import type { Fact, Part } from '../../contract/inspection';
import { cut } from '../../history/cut-text';
import { objectHandle } from '../../sessions/object-handle';
import { closingLines } from '../closing-lines';
import { shortPath } from '../source-places';
import type { Told } from '../told';

/** Characters of a value whose parts are told as well. */
const BESIDE_PARTS = 100;

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

/** Facts and parts; what a part's print says of its type, and that it can be set, is data. */
export function inspectionText(result: InspectionResult, project: string, told: Told): string {
  const { session, handle, kind, type, text, facts, parts, notes } = result;
  const isSaid = type.toLowerCase().replaceAll('-', ' ') === kind;
  const shown = parts.length === 0 ? text : cut(text, BESIDE_PARTS);
  return [
    [handle, ...(isSaid ? [type] : [kind, type])].join(' · '),
    shown,
    ...facts.filter((fact) => isNews(fact, session, told)).map((fact) => factText(fact, project)),
    ...parts.map(partText),
    ...closingLines([...moreText(result), ...told.sessionNews(session)], notes),
  ].join('\n');
}

/** How the steps of a path are written is said once. */
function isNews({ name, text }: Fact, session: string, told: Told): boolean {
  return name !== 'keys' || told.isNews(session, 'keys of parts', text);
}

/** The place of a definition is in the form that tools for files take. */
function factText({ name, text }: Fact, project: string): string {
  return `${name}: ${name === 'source' ? shortPath(text, project) : text}`;
}

function moreText({ parts, total, next_offset: next }: InspectionResult): string[] {
  if (next !== null) return [`${parts.length} of ${total} parts, more with offset ${next}`];
  return total === 0 ? ['no parts'] : [];
}

function partText({ index, name, handle, ...value }: PartResult): string {
  const label = name === String(index) ? name : `${index} ${name}`;
  return `${label}: ${valueText(value)}${handle === undefined ? '' : ` · ${handle}`}`;
}

function valueText({ unbound, problem, text = '' }: Partial<PartResult>): string {
  if (problem !== undefined) return `cannot be had: ${problem}`;
  return unbound ? 'unbound' : text;
}
