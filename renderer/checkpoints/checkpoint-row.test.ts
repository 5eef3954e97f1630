/** Use of a checkpoint, as text. */
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../electron/words/words';
import { checkpointUseText } from './checkpoint-row';

describe('a checkpoint', () => {
  const names = new Map([['sbcl-2', 'tides']]);
  const use = (...usedBy: string[]) =>
    checkpointUseText({ usedBy }, 'sbcl-1', (id) => names.get(id), wordsOf('en'));

  it('is null if no session uses it', () => {
    expect(use()).toBeNull();
  });

  it('lists the sessions by name, this one first', () => {
    expect(use('sbcl-2', 'sbcl-1')).toBe('in use by this session, tides');
    expect(use('sbcl-3')).toBe('in use by sbcl-3');
  });
});
