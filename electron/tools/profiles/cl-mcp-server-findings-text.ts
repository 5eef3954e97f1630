/** Names as cl-mcp-server lists them: definitions under `[Functions]` and the like, symbols with their kind, uses by place. */
import type { Finding } from '../../contract/knowledge';
import { type PlaceResult, placeText } from '../source-places';

type Named = Pick<Finding, 'kind' | 'text' | 'arglist' | 'value'>;
type Used = Pick<Finding, 'kind' | 'text'> & { source?: PlaceResult | undefined };

/** Definitions by kind, each kind under its heading. */
export function definitionsText(
  definitions: readonly Pick<Finding, 'kind' | 'text' | 'arglist' | 'value'>[],
): string {
  const groups = Object.entries(GROUPS).flatMap(([title, kinds]) => {
    const lines = definitions
      .filter(({ kind }) => kinds.test(kind))
      .map(
        ({ text, arglist, value }) => `- ${text}${arglist ? ` ${arglist}` : ''}${value ? ` = ${value}` : ''}`,
      );
    return lines.length === 0 ? [] : [`[${title}]\n${lines.join('\n')}`];
  });
  return groups.length === 0 ? 'No user definitions.' : groups.join('\n\n');
}

const GROUPS: Record<string, RegExp> = {
  Functions: /function|method/,
  Macros: /macro/,
  Variables: /variable|constant/,
  Classes: /class|structure|condition|type/,
};

/** Symbols by a part of their names. @param total those that are not listed as well */
export function aproposText(symbols: readonly Named[], total: number, pattern: string): string {
  const lines = symbols.map(
    ({ kind, text, arglist }) => `  ${text}${arglist ? ` ${arglist}` : ''} [${kind.toUpperCase()}]`,
  );
  return `Found ${counted(total, 'symbol')} matching '${pattern}':\n\n${[...lines, ...moreLine(total - symbols.length)].join('\n')}`;
}

/** Who uses a name: each once, with its place. @param what `caller` or `reference` */
export function usesText(
  { results, total }: { results: readonly Used[]; total: number },
  what: 'caller' | 'reference',
  name: string,
): string {
  const of = what === 'caller' ? 'of' : 'to';
  if (results.length === 0) return `No ${what}s found ${what === 'caller' ? 'for' : 'to'} ${name}`;
  const users = [...Map.groupBy(results, (use) => `${use.kind} ${use.text}`).values()];
  const lines = users.flatMap((uses) => userLines(uses));
  return `${counted(users.length, what)} ${of} ${name}:\n\n${[...lines, ...moreLine(total - results.length)].join('\n')}`;
}

/** What calls is not said to do so. */
function userLines(uses: readonly Used[]): string[] {
  const [first] = uses;
  if (!first) return [];
  const how = first.kind === 'calls' ? [] : [first.kind];
  const sites = uses.length === 1 ? how : [...how, `${uses.length} sites`];
  const places = new Set(uses.flatMap(({ source }) => (source ? [placeText(source)] : [])));
  return [
    `  ${first.text}${sites.length === 0 ? '' : ` (${sites.join(', ')})`}`,
    ...[...places].map((place) => `    at ${place}`),
  ];
}

function moreLine(more: number): string[] {
  return more > 0 ? [`  … ${more} more`] : [];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
