/** Lines of a diff. */
import { describe, expect, it } from 'vitest';
import { diffLines } from './code';

describe('diffs', () => {
  it('are lines of a kind, without the lines that name the file', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n {\n-old\n+new\n+-- odd\n';
    expect(diffLines(diff)).toEqual([
      { text: ' {', kind: 'same' },
      { text: '-old', kind: 'removed' },
      { text: '+new', kind: 'added' },
      { text: '+-- odd', kind: 'added' },
    ]);
    expect(diffLines('--- a\n+++ b\n@@ -7 +7 @@\n-old\n')).toEqual([
      { text: '@@ -7 +7 @@', kind: 'hunk' },
      { text: '-old', kind: 'removed' },
    ]);
  });
});
