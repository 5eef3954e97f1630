/** What there is in place of a name that nobody has, so that it need not be looked up: the nearest first. Pure. */

/** Names that one sentence tells, and those that are compared at all. */
const TOLD = 12;
const COMPARED = 5_000;
/** Characters of a name that are compared, and told. */
const LONGEST = 120;

/** "There are: a, b and 3 more." */
export function thereAre(asked: string, names: readonly string[]): string {
  return names.length === 0 ? 'There are none.' : `There are: ${namesNear(asked, names)}.`;
}

/** "a, b and 3 more"; empty where there are none. */
export function namesNear(asked: string, names: readonly string[]): string {
  const told = nearest(asked, names.slice(0, COMPARED)).slice(0, TOLD);
  const more = names.length - told.length;
  return `${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Names that differ as little keep their order. */
function nearest(asked: string, names: readonly string[]): string[] {
  const cut = names.map((name) => name.slice(0, LONGEST));
  const wanted = asked.slice(0, LONGEST).toLowerCase();
  const compared = cut.map((name) => ({ name, far: distance(wanted, name.toLowerCase()) }));
  return compared.sort((one, other) => one.far - other.far).map(({ name }) => name);
}

/** How many characters are to be written, removed or exchanged; what is in the other whole is nearer by half. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of [...one].entries()) {
    let corner = at;
    const next = [at + 1];
    for (const [index, compared] of [...other].entries()) {
      const written = Math.min(row[index + 1] ?? 0, next[index] ?? 0) + 1;
      next.push(Math.min(written, corner + (character === compared ? 0 : 1)));
      corner = row[index + 1] ?? 0;
    }
    row = next;
  }
  const far = row[other.length] ?? 0;
  return one.includes(other) || other.includes(one) ? far / 2 : far;
}
