/** Results as lisp-mcp-server words them: the value alone, and JSON for what a name stands for. */

import { type EvaluationRecord, lastValues } from '../evaluation/record';
import type { DefinitionResult } from '../knowledge/description-result';
import type { PlaceResult } from '../source-places';
import { evaluationText } from './cl-mcp-server-text';

/** The last value, then what was printed; of an error its type, message and backtrace. */
export function valueText(record: EvaluationRecord): string {
  if (record.outcome !== 'ok') return evaluationText(record);
  const { stdout, stderr, warnings } = record;
  const printed = { stdout, stderr, warnings: warnings.map(({ message }) => message).join('\n') };
  return [
    lastValues(record).join('\n'),
    ...Object.entries(printed).flatMap(([title, text]) => (text === '' ? [] : [`[${title}]`, text])),
  ].join('\n');
}

/** Where it is defined: `path`, relative inside the project, and `line`; further places under `others`. */
export function placesText(results: readonly { source?: PlaceResult | undefined }[], symbol: string): string {
  const [first, ...others] = placesOf(results);
  if (first === undefined) return `No file is known that defines ${symbol}.`;
  return JSON.stringify({ ...first, ...(others.length > 0 ? { others } : {}) });
}

export function placesOf(
  results: readonly { source?: PlaceResult | undefined }[],
): { path: string; line?: number }[] {
  return results.flatMap(({ source }) => {
    const { path, line } = source ?? {};
    return path === undefined ? [] : [{ path, ...(line === undefined ? {} : { line }) }];
  });
}

/** `name`, `type`, `arglist` and `documentation`; what else the symbol stands for under `others`. */
export function descriptionText(definitions: readonly DefinitionResult[]): string {
  const [first, ...others] = definitions
    .map((definition) => ({ ...factsOf(definition), rank: RANKS.indexOf(typeOf(definition)) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ rank: _rank, ...facts }) => facts);
  return JSON.stringify({ ...first, ...(others.length > 0 ? { others } : {}) });
}

/** The document's types, what a programmer means first. */
const RANKS = ['function', 'macro', 'variable', ''];

function factsOf(definition: DefinitionResult) {
  const { name, kind, arglist, documentation } = definition;
  return {
    name,
    type: typeOf(definition) || kind,
    ...(arglist === undefined ? {} : { arglist }),
    ...(documentation === undefined ? {} : { documentation }),
  };
}

/** Empty for what the document knows nothing of. */
function typeOf({ kind }: DefinitionResult): string {
  if (/macro|special/.test(kind)) return 'macro';
  if (/function/.test(kind)) return 'function';
  return /variable|constant/.test(kind) ? 'variable' : '';
}
