/** The difference of two printed values, by token. Pure. */

/** A part of both texts, or of one of them. */
export interface DifferencePart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Maximum number of tokens of each text that are compared. The work grows with their product. */
const MOST_TOKENS = 800;

/** Strings, words, blanks and single characters. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\s+|[^\s()[\]{}"]+|[\s\S]/g;

/** Returns the parts in which the texts agree and differ; null if they are equal or too long to compare. */
export function differenceOf(expected: string, actual: string): DifferencePart[] | null {
  const [before, after] = [expected.match(TOKENS) ?? [], actual.match(TOKENS) ?? []];
  if (expected === actual || before.length > MOST_TOKENS || after.length > MOST_TOKENS) return null;
  const parts: DifferencePart[] = [];
  const add = (kind: DifferencePart['kind'], text: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
  };
  const common = commonTails(before, after);
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    const [one, other] = [before[from], after[to]];
    const isCommon = one !== undefined && one === other;
    if (isCommon) {
      add('same', one);
      from += 1;
      to += 1;
    } else if (one !== undefined && (other === undefined || tail(from + 1, to) >= tail(from, to + 1))) {
      add('removed', one);
      from += 1;
    } else if (other !== undefined) {
      add('added', other);
      to += 1;
    }
  }
  return parts;

  function tail(row: number, column: number): number {
    return common[row * (after.length + 1) + column] ?? 0;
  }
}

/** The length of the longest common subsequence of each pair of tails. */
function commonTails(before: readonly string[], after: readonly string[]): Uint16Array {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
  return lengths;
}
