/** The lines of a unified diff and what each of them is. Pure. */

export type DiffKind = 'added' | 'removed' | 'hunk' | 'same';

/** What a line of a unified diff is. The two lines that name the file belong to no hunk and are left out, and so is the head of
 * a hunk at the beginning of the file, which says nothing. */
export function diffLines(diff: string): readonly { text: string; kind: DiffKind }[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  const isFirst = /^@@ -[01][ ,]/.test(lines[start] ?? '');
  return lines.slice(Math.max(0, isFirst ? start + 1 : start)).map((text) => ({ text, kind: kindOf(text) }));
}

function kindOf(line: string): DiffKind {
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}
