/** Messages about the end of an SBCL process. */
import { expect, it } from 'vitest';
import { lastWords } from '../../electron/images/agent/traits';
import { SBCL } from '../../electron/images/sbcl/engine';

it.each([
  [{ code: 7, signal: null }, '', 'SBCL exited with code 7'],
  [{ code: 0, signal: null }, 'Heap exhausted during allocation', 'SBCL exited with code 0'],
  [{ code: null, signal: 'SIGKILL' as const }, '', 'SBCL was killed by SIGKILL'],
  [
    { code: null, signal: 'SIGKILL' as const, exceededBytes: 200 * 1024 ** 2 },
    '',
    'SBCL was killed because it and its child processes used more than 200 MiB of memory, the limit for an image',
  ],
  [
    { code: 1, signal: null },
    'Heap exhausted during garbage collection: 0 bytes available',
    'SBCL exited with code 1 because its heap was full',
  ],
  [
    { code: 1, signal: null },
    'fatal error encountered in SBCL pid 12',
    'SBCL exited with code 1 because its runtime reported a fatal error',
  ],
  [{ code: 98, signal: null }, '', 'SBCL exited with code 98 because Lisp Harbor ended it'],
  [
    { code: null, signal: null, error: 'spawn sbcl ENOENT' },
    '',
    'SBCL could not be started: spawn sbcl ENOENT',
  ],
])('%j', (end, stderr, sentence) => {
  expect(SBCL.describeEnd(end, stderr)).toBe(sentence);
});

it('shows the end of long last output', () => {
  expect(lastWords(`${'x'.repeat(5000)}the reason\n`)).toMatch(/^x+the reason$/);
  expect(lastWords(`${'x'.repeat(5000)}the reason\n`)).toHaveLength(2000);
});
