/** Descriptions of what is lost and what is restored, by what the session's image can restore. */
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../electron/words/words';
import { asleepText, endingText, imageDiedText, stoppingText } from './what-is-lost';

const WORDS = wordsOf('en');
const awake = { checkpoints: true, state: 'idle' } as const;

describe('a session whose image died', () => {
  const textFor = (checkpoint: string | null, definitions: boolean) =>
    imageDiedText({ comesBack: { checkpoint, definitions }, lostBecause: null }, WORDS);

  it('names the cause, also if it is the harbor', () => {
    const because = 'an evaluation could only be stopped by ending its image';
    const comesBack = { checkpoint: null, definitions: true };
    expect(imageDiedText({ comesBack, lostBecause: because }, WORDS)).toMatch(
      /^The image of this session ended, because an evaluation could only be stopped by ending its image\. The next/,
    );
  });

  it('loses everything if nothing can be restored', () => {
    expect(textFor(null, false)).toContain('Its state is lost');
    expect(textFor(null, false)).not.toContain('again');
  });

  it('restores definitions if the engine can evaluate them again', () => {
    expect(textFor(null, true)).toContain('a new image, in which definitions are evaluated again');
    expect(textFor(null, true)).toContain('Other state is lost.');
  });

  it('restores its checkpoint, and later definitions if the engine can', () => {
    expect(textFor('calm', true)).toContain('from checkpoint calm; later definitions are evaluated');
    expect(textFor('calm', false)).toContain('from checkpoint calm. Later changes are lost.');
  });
});

describe('a session that is asleep', () => {
  const textFor = (checkpoint: string | null, definitions: boolean) =>
    asleepText({ comesBack: { checkpoint, definitions } }, WORDS);

  it('says what is restored', () => {
    expect(textFor(null, true)).toMatch(/with its definitions, .* history\.$/);
    expect(textFor('calm', false)).toMatch(/with the state of checkpoint calm\.$/);
    expect(textFor('calm', true)).toContain('checkpoint calm and its definitions');
    expect(textFor(null, false)).toContain('Its state is lost');
  });

  it('loses its definitions when it is ended', () => {
    expect(endingText([{ ...awake, state: 'asleep' }], WORDS)).toContain('cannot be restored');
  });
});

it('ending a session mentions checkpoints if there can be any', () => {
  expect(endingText([awake, { ...awake, checkpoints: false }], WORDS)).toContain('checkpoints stay');
  expect(endingText([{ ...awake, checkpoints: false }], WORDS)).toMatch(/stay in the history\.$/);
});

describe('an evaluation that does not stop', () => {
  it('is described after the first step has failed', () => {
    const textFor = (step: 'cooperative' | 'insistent' | 'end') =>
      stoppingText({ stopping: { evaluation: 7, step } }, WORDS);
    expect(stoppingText({ stopping: null }, WORDS)).toBeNull();
    expect(textFor('cooperative')).toBeNull();
    expect(textFor('insistent')).toContain('Evaluation 7 did not stop when it was interrupted.');
    expect(textFor('end')).toMatch(/^Its image is killed: evaluation 7/);
  });
});
