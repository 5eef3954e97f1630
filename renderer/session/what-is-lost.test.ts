/** What the window says is lost, and what is not: by what a session's image can bring back. */
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../electron/words/words';
import { asleepText, endingText, imageDiedText, stoppingText } from './what-is-lost';

const WORDS = wordsOf('en');
const awake = { checkpoints: true, state: 'idle' } as const;

describe('a session whose image died', () => {
  const told = (checkpoint: string | null, definitions: boolean) =>
    imageDiedText({ comesBack: { checkpoint, definitions }, lostBecause: null }, WORDS);

  it('says what has ended it, the harbor included', () => {
    const because = 'an evaluation could only be stopped by ending its image';
    const comesBack = { checkpoint: null, definitions: true };
    expect(imageDiedText({ comesBack, lostBecause: because }, WORDS)).toMatch(
      /^The image of this session is gone, because an evaluation could only be stopped by ending its image\. The next/,
    );
  });

  it('has lost all where nothing can be brought back', () => {
    expect(told(null, false)).toContain('Its state is lost');
    expect(told(null, false)).not.toContain('again');
  });

  it('has its definitions again where the engine evaluates them again', () => {
    expect(told(null, true)).toContain('a new one, in which definitions are evaluated again');
    expect(told(null, true)).toContain('Other state is lost.');
  });

  it('begins from its checkpoint, and has later definitions where the engine can', () => {
    expect(told('calm', true)).toContain('from checkpoint calm, in which later definitions are evaluated');
    expect(told('calm', false)).toContain('from checkpoint calm. What was done since is lost.');
  });
});

describe('a session that is asleep', () => {
  const told = (checkpoint: string | null, definitions: boolean) =>
    asleepText({ comesBack: { checkpoint, definitions } }, WORDS);

  it('says what it comes back with', () => {
    expect(told(null, true)).toMatch(/with its definitions, .* history\.$/);
    expect(told('calm', false)).toMatch(/with the state of checkpoint calm\.$/);
    expect(told('calm', true)).toContain('checkpoint calm and its definitions');
    expect(told(null, false)).toContain('its state is lost');
  });

  it('loses what was defined in it when it is ended', () => {
    expect(endingText([{ ...awake, state: 'asleep' }], WORDS)).toContain('Nobody can bring back');
  });
});

it('closing a session tells of checkpoints where there can be any', () => {
  expect(endingText([awake, { ...awake, checkpoints: false }], WORDS)).toContain('checkpoints stay');
  expect(endingText([{ ...awake, checkpoints: false }], WORDS)).toMatch(/stays in the history\.$/);
});

describe('an evaluation that does not stop', () => {
  it('is told of once the first step has failed', () => {
    const told = (step: 'cooperative' | 'insistent' | 'end') =>
      stoppingText({ stopping: { evaluation: 7, step } }, WORDS);
    expect(stoppingText({ stopping: null }, WORDS)).toBeNull();
    expect(told('cooperative')).toBeNull();
    expect(told('insistent')).toContain('Evaluation 7 has not stopped when it was interrupted.');
    expect(told('end')).toMatch(/^Its image is ended: evaluation 7/);
  });
});
