/** What a package exports, by kind: with arglists where they are few, by name where they are many. */
import type { ExternalName } from '../../contract/knowledge';

/** Characters for all of them. */
const MOST_CHARACTERS = 2_500;
/** Of one arglist. */
const ARGLIST_CHARACTERS = 60;

/** Those on which nothing is defined are told whatever there is beside them.
 * @param total how many there are; `names` may be fewer */
export function namesText(names: readonly ExternalName[], total: number, owner: string): string[] {
  const defined = names.filter(({ kind }) => kind !== undefined);
  const others = names.filter(({ kind }) => kind === undefined).map(({ name }) => name);
  const head = [
    `${total} external ${total === 1 ? 'symbol' : 'symbols'}`,
    ...(others.length === 0 ? [] : [`undefined: ${others.join(', ')}`]),
  ];
  const whole = groups(defined, withArglist);
  if (names.length === total && whole.join('\n').length <= MOST_CHARACTERS) return [...head, ...whole];
  const { fitting, rest } = cut(groups(defined, ({ name }) => name));
  const more = rest + total - names.length;
  const all = `\`find\` with kind apropos, query "", package ${owner}, external: true, limit: ${total}`;
  return [...head, ...fitting, `… ${more === 0 ? 'with arglists' : `${more} more`}: ${all}`];
}

function groups(names: readonly ExternalName[], told: (name: ExternalName) => string): string[] {
  const kinds = Map.groupBy(names, ({ kind = '' }) => kind.split(', ')[0] ?? '');
  return [...kinds].map(([kind, each]) => `${kind}: ${each.map(told).join(', ')}`);
}

function withArglist({ name, arglist }: ExternalName): string {
  if (arglist === undefined) return name;
  return `${name} ${arglist.length <= ARGLIST_CHARACTERS ? arglist : `${arglist.slice(0, ARGLIST_CHARACTERS)}…`}`;
}

/** The lines that fit, and how many names the others have. */
function cut(lines: readonly string[]): { fitting: string[]; rest: number } {
  const fitting: string[] = [];
  let left = MOST_CHARACTERS;
  let rest = 0;
  for (const line of lines) {
    const names = line.split(', ');
    while (names.length > 0 && names.join(', ').length > left) {
      names.pop();
      rest += 1;
    }
    if (names.length > 0) fitting.push(names.join(', '));
    left -= names.join(', ').length;
  }
  return { fitting, rest };
}
