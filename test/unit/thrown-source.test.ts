/** The line that runs in a frame of an exception is found in its top-level form, of a file and of an evaluation. */
import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../electron/contract/model';
import { thrownSource } from '../../electron/sessions/frames';

const CODE = `(def port 4617)

(defn dist [p q]
  (let [dx (- (first p) (first q))]
    (Math/sqrt dx)))

(dist [1] :north)`;

const row = { project: '/lighthouse', code: CODE } as Evaluation;
const find = (id: number) => (id === 12 ? row : null);

describe('a frame of an evaluation', () => {
  it('stands in its top-level form, with its line marked', () => {
    expect(thrownSource({ evaluation: 12, line: 4 }, '/lighthouse', find)).toEqual({
      before: '(defn dist [p q]\n  ',
      running: '(let [dx (- (first p) (first q))]',
      after: '\n    (Math/sqrt dx)))',
      line: 3,
      file: null,
      evaluation: 12,
    });
    expect(thrownSource({ evaluation: 12, line: 7 }, '/lighthouse', find)).toMatchObject({
      before: '',
      running: '(dist [1] :north)',
      after: '',
      line: 7,
    });
  });

  it('is none of another project, nor one behind the end', () => {
    expect(thrownSource({ evaluation: 12, line: 4 }, '/harbour', find)).toBeNull();
    expect(thrownSource({ evaluation: 13, line: 4 }, '/lighthouse', find)).toBeNull();
    expect(thrownSource({ evaluation: 12, line: 40 }, '/lighthouse', find)).toBeNull();
  });
});

describe('a frame of a file', () => {
  it('stands in the form that the image sent the beginning of', () => {
    const text = '(defn tide [at]\n  (at))\n(defn next-one [] 1)';
    expect(thrownSource({ file: '/x/tide.clj', start: 10, line: 11, text }, '/x', find)).toEqual({
      before: '(defn tide [at]\n  ',
      running: '(at))',
      after: '',
      line: 10,
      file: '/x/tide.clj',
      evaluation: null,
    });
  });

  it('has none where the image sent no text', () => {
    expect(thrownSource({ file: '/x/tide.clj', line: 11 }, '/x', find)).toBeNull();
  });
});
