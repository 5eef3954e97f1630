/**
 * The reported last output of an ended process: what it printed since its evaluation began, and nothing
 * older.
 */
import { expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';

const print = (text: string) =>
  `(sb-ext:run-program "/bin/sh" '("-c" "echo ${text} >&2") :output t :error t :input nil)`;

it('an earlier evaluation printed are not those of the one that ended', async () => {
  const image = await startImage();
  await image.evaluate(print('Heap exhausted, game over.'));
  const { outcome, notes } = await image.evaluate(
    `(progn ${print('really the last')} (sb-ext:exit :code 3 :abort t))`,
  );
  expect(outcome).toBe('crashed');
  expect(notes[0]).toMatch(/^SBCL exited with code 3\.$/);
  expect(notes).toContain('Its last output: really the last');
});
