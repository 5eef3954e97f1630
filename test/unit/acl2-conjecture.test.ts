import { describe, expect, it } from 'vitest';
import { conjectureForm, eventName } from '../../electron/compat/acl2/acl2-adapters';

describe('a conjecture', () => {
  it.each([
    ['(equal x x)', '(acl2::thm (equal x x))'],
    ['(thm (equal x x))', '(acl2::thm (equal x x))'],
    ['(defthm f (equal x x) :rule-classes nil)', '(acl2::thm (equal x x))'],
    [
      '(DEFTHMD f (equal x x) :rule-classes :linear :hints (("Goal" :in-theory nil)) :otf-flg t)',
      '(acl2::thm (equal x x) :hints (("Goal" :in-theory nil)) :otf-flg t)',
    ],
    [
      '(defthm f (equal x x) :instructions (:induct :prove))',
      '(acl2::thm (equal x x) :hints (("Goal" :instructions (:induct :prove))))',
    ],
  ])('%s is submitted as %s', (written, submitted) => {
    expect(String(conjectureForm(written))).toBe(submitted);
  });

  it('takes hints for a term', () => {
    expect(String(conjectureForm('(p x)', '(("Goal" :do-not-induct t))'))).toBe(
      '(acl2::thm (p x) :hints (("Goal" :do-not-induct t)))',
    );
  });

  it.each(['(equal x x', '(p) (q)', '', '(defthm only-a-name)'])('is refused when it is %s', (written) => {
    expect(() => conjectureForm(written)).toThrow(/^invalid code|no formula/);
  });
});

describe('a name', () => {
  it('stands for one event and for nothing else', () => {
    expect(String(eventName('append'))).toBe('append');
    expect(String(eventName('|odd name|'))).toBe('|odd name|');
    for (const text of ['(good-bye)', 'a b', "'a", '#.(f)', '']) expect(() => eventName(text)).toThrow();
  });
});
