/** What is told of edits: the whole diff before they are made, after that as much as says where they are. */

/** Lines of a diff that are in one of the two texts only. */
const CHANGED_LINES = /^(?:-(?!-- )|\+(?!\+\+ )).*\n?/gm;
/** Characters of them that are shown of a change which is made: whoever wrote a longer text knows it. */
const SHOWN_CHANGES = 120;

/** The changed lines of `diff` as far as they are shown; none of a long change that is made. */
export function changesText(diff: string, written: boolean): string[] {
  const changed = diff.match(CHANGED_LINES)?.join('').trimEnd() ?? '';
  const shown = written ? (changed.length <= SHOWN_CHANGES ? changed : '') : diff.trimEnd();
  return shown === '' ? [] : [shown];
}

/** `lines -1 +2 at 14`, of a diff with three lines of context at most. */
export function linesText(diff: string): string {
  const count = (sign: RegExp) => diff.match(sign)?.length ?? 0;
  const first = /^@@ -\d+(?:,\d+)? \+(\d+)[^\n]*\n((?: [^\n]*\n)*)/m.exec(diff);
  const at = Number(first?.[1] ?? 1) + (first?.[2]?.split('\n').length ?? 1) - 1;
  return `lines -${count(/^-(?!--)/gm)} +${count(/^\+(?!\+\+)/gm)} at ${at}`;
}
