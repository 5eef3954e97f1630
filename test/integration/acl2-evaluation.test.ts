/** Forms of all kinds in a real ACL2: values, output told apart, errors, packages. */
import { describe, expect, it } from 'vitest';
import { complaints, issues, proofOf, startImage, verdicts } from './acl2-fixture';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';

describe('values', () => {
  it('are those that ACL2 prints, each of several by itself', async () => {
    const image = await startImage();
    const cases: [string, string[]][] = [
      ['(+ 1 2)', ['3']],
      ['(mv 1 2 3)', ['1', '2', '3']],
      ['state', ['<state>']],
      ['(mv nil 7 state)', ['7']],
      ['(mv 1 state)', ['1', '<state>']],
      ['(value :invisible)', []],
      ['(list "a b" #\\Tab (quote |a B|))', ['("a b" #\\Tab |a B|)']],
      ['"ACL2"', ['"ACL2"']],
      ['(quote "λ→")', ['"λ→"']],
      ['(let ((x 1)) (list x))', ['(1)']],
      ['(value-triple 5)', ['5']],
      ['#{"""raw " string"""}', ['"raw \\" string"']],
      ['(list "a\nb")', ['("a\nb")']],
    ];
    for (const [code, values] of cases)
      expect(await image.evaluate(code), code).toMatchObject({ outcome: 'ok', values: [values] });
  });

  it('has the source of each form, comments and all', async () => {
    const image = await startImage();
    const { forms } = await image.evaluate('; one\n(+ 1 1) #| λ |# (+ 2 2)\n:pe car');
    expect(forms).toMatchObject([
      { code: '; one\n(+ 1 1)', values: ['2'] },
      { code: '#| λ |# (+ 2 2)', values: ['4'] },
      { code: ':pe car', values: [] },
    ]);
  });

  it('are whole where they are large', async () => {
    const image = await startImage();
    const { values } = await image.evaluate(
      "(coerce (make-list 1000000 :initial-element #\\v) 'string) (make-list 10000)",
    );
    expect(values[0]?.[0] === `"${'v'.repeat(1_000_000)}"`).toBe(true);
    expect(values[1]?.[0]?.split(/\s+/)).toHaveLength(10_000);
  });

  it('are cut where the caller says so', async () => {
    const image = await startImage();
    expect((await image.evaluate('(make-list 100)', { maxChars: 10 })).values).toEqual([['(NIL NIL N']]);
  });

  it('are everything that is returned, to be read back, where data is asked for', async () => {
    const image = await startImage();
    await image.evaluate('(defstobj st fld) (defpkg "PIER" nil) (in-package "PIER")');
    const state = 'ACL2_INVISIBLE::|The Live State Itself|';
    const cases: [string, string[]][] = [
      ['(acl2::mv 1 "a\nb" #\\a)', ['1', '"a\nb"', '#\\a']],
      ['(acl2::mv acl2::nil 7 acl2::state)', ['NIL', '7', state]],
      ['(acl2::value :invisible)', ['NIL', ':INVISIBLE', state]],
      ['acl2::state', [state]],
      ['(acl2::mv 1 acl2::st)', ['1', '<ST>']],
      ['(acl2::quote (x acl2::x |x y| :k))', ['(PIER::X X PIER::|x y| :K)']],
      ['(acl2::set-print-base 16 acl2::state)', [state]],
      ['255', ['255']],
      ['(acl2::make-list 3000)', [`(${'NIL '.repeat(2999)}NIL)`]],
    ];
    for (const [code, values] of cases)
      expect(await image.evaluate(code, { asData: true }), code).toMatchObject({
        outcome: 'ok',
        values: [values],
      });
  });
});

describe('output', () => {
  it('tells what forms print from what the prover says', async () => {
    const image = await startImage();
    const answer = await image.evaluate(`${APP} (cw "hello~%")`);
    expect(answer.stdout).toBe('hello\n');
    expect(answer.stderr).toContain('The admission of APP is trivial');
    expect(answer.stderr).toContain('Summary');
  });

  it('survives a form that closes the channel of the commentary', async () => {
    const image = await startImage();
    await image.evaluate('(close-output-channel (proofs-co state) state)');
    const answer = await image.evaluate('(thm (equal (car (cons x y)) x))');
    expect(answer.outcome).toBe('ok');
    expect(answer.stderr).toContain('Q.E.D.');
  });

  it('has the warnings of the prover as data, with their forms', async () => {
    const image = await startImage();
    const { warnings } = await image.evaluate(`${APP}
      (defthm loops (equal (app (app x y) z) (app x (app y z))))
      (defthm loops-again (equal (app (app x y) z) (app x (app y z))))`);
    expect(warnings).toMatchObject([
      { type: 'Subsume', form: 2, severity: 'warning', message: expect.stringContaining('subsumes') },
      { type: 'Subsume', form: 2, severity: 'warning', message: expect.stringContaining('subsumes') },
    ]);
  });
});

describe('events', () => {
  it('are data: kind, names, cost, rules', async () => {
    const image = await startImage();
    const answer = await image.evaluate(
      `${APP} (defthm app-assoc (equal (app (app x y) z) (app x (app y z))))`,
    );
    expect(answer).toMatchObject({ outcome: 'ok', values: [['APP'], ['APP-ASSOC']] });
    const { events, command } = proofOf(answer);
    expect(command).toBe(2);
    expect(events).toMatchObject([
      { form: 0, operator: 'DEFUN', verdict: 'admitted', events: [{ kind: 'DEFUN', names: ['APP'] }] },
      {
        form: 1,
        operator: 'DEFTHM',
        verdict: 'admitted',
        command: 2,
        checkpoints: null,
        issues: [],
        figures: { steps: expect.any(Number), rules: expect.arrayContaining(['(:DEFINITION APP)']) },
      },
    ]);
    expect(issues(answer)).toEqual([]);
  });

  it('has the key checkpoints of a failed proof, as text and as data', async () => {
    const image = await startImage();
    const answer = await image.evaluate(`${APP} (defthm wrong (equal (app x y) (app y x)))`);
    expect(answer).toMatchObject({
      outcome: 'error',
      condition: { type: 'ACL2 Error [Failure]' },
      values: [['APP'], []],
    });
    expect(verdicts(answer)).toEqual(['admitted', 'failed']);
    const checkpoints = proofOf(answer).events[1]?.checkpoints;
    expect(checkpoints?.top).toMatchObject([
      { goal: 'Goal', form: '(EQUAL (APP X Y) (APP Y X))', text: '(EQUAL (APP X Y) (APP Y X))' },
    ]);
    expect(checkpoints?.induction.length).toBeGreaterThan(0);
  });

  it('has the rules of a proof that is no event', async () => {
    const image = await startImage();
    const answer = await image.evaluate('(thm (equal (append (append x y) z) (append x y z)))');
    expect(proofOf(answer).events[0]?.figures?.rules).toContain('(:DEFINITION BINARY-APPEND)');
  });

  it('has the rules of such a proof without those that split its goals', async () => {
    const image = await startImage();
    const answer = await image.evaluate(`${APP} (thm (equal (app x y) (app y x)))`);
    const rules = proofOf(answer).events[1]?.figures?.rules ?? [];
    expect(rules).toContain('(:REWRITE CONS-EQUAL)');
    expect(rules.filter((rule) => !rule.startsWith('(:'))).toEqual([]);
    expect(new Set(rules).size).toBe(rules.length);
  });

  it.each([
    ['(defun f (x) (f (cdr x)))', 'DEFUN F'],
    ['(defun f (x) (undefined x))', 'DEFUN F'],
    [`(encapsulate () ${APP} (local (defthm wrong (equal (app x y) (app y x)))))`, 'DEFTHM WRONG'],
    ['(thm (equal a b))', undefined],
    ['(defmacro define (name) `(thm (equal ,name 1))) (define sum)', undefined],
    ['(defmacro define (name x) `(thm (equal ,name ,x))) (define sum 1)', 'DEFINE SUM'],
  ])('names the one that failed: %s', async (code, failedAt) => {
    const image = await startImage();
    expect(proofOf(await image.evaluate(code)).events.at(-1)?.failedAt).toBe(failedAt);
  });

  it('stops at the first form that fails', async () => {
    const image = await startImage();
    const answer = await image.evaluate('(+ 1 1) (thm (equal a b)) (defun never (x) x)');
    expect(answer).toMatchObject({ outcome: 'error', values: [['2'], []] });
    expect((await image.evaluate('(never 1)')).outcome).toBe('error');
  });
});

describe('an LD within', () => {
  const LD = `(ld '(${APP} (defthm wrong (equal (app x y) (app y x))) (defun never (x) x)))`;

  it.each([LD, `(er-progn (value 7) ${LD})`])('that stops at a failure has failed: %s', async (code) => {
    const image = await startImage();
    const answer = await image.evaluate(`${code} (+ 1 1)`);
    expect(answer).toMatchObject({ outcome: 'error', values: [[]] });
    expect(verdicts(answer)).toEqual(['failed']);
    const [event] = proofOf(answer).events;
    expect(event).toMatchObject({ events: [{ kind: 'DEFUN', names: ['APP'] }], failedAt: 'DEFTHM WRONG' });
    expect(event?.checkpoints?.top).toMatchObject([{ form: '(EQUAL (APP X Y) (APP Y X))' }]);
    expect((await image.evaluate("(app '(1) '(2))")).values).toEqual([['(1 2)']]);
  });

  it('that goes through has not', async () => {
    const image = await startImage();
    const answer = await image.evaluate(
      LD.replace('(app y x)', '(app x y)').replace('(defthm wrong', '(thm'),
    );
    expect(answer).toMatchObject({ outcome: 'ok', values: [[':EOF']] });
  });
});

describe('errors', () => {
  it.each([
    ['(car 3)', 'ACL2 Error', /guard for the function call \(CAR X\)/],
    ['(undefined-fn 3)', 'ACL2 Error [Translate]', /neither a function nor macro/],
    ['(+ 1\n  (list 2', 'Read error', /inside the form that starts on line 1/],
    ['1\n\n(+ 1', 'Read error', /inside the form that starts on line 3/],
    ['(foo::bar 1)', 'Read error', /no package .*FOO|FOO.* does not exist/],
    ['(er soft (quote top) "boom ~x0" 3)', 'ACL2 Error', /boom 3/],
    ['(er hard (quote top) "boom ~x0" 3)', 'HARD ACL2 ERROR', /boom 3/],
    [':bogus', 'Read error', /command/],
  ])('%s', async (code, type, message) => {
    const image = await startImage();
    const answer = await image.evaluate(code);
    expect(answer.outcome).toBe('error');
    expect(answer.condition?.type).toBe(type);
    expect(answer.condition?.message).toMatch(message);
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });
});

describe('packages', () => {
  it('begins in one, and goes where a form goes', async () => {
    const image = await startImage({ package: 'ACL2-USER' });
    expect(image.image.package).toBe('ACL2-USER');
    expect(image.image.prompt()).toBe('ACL2-USER !>');
    expect((await image.evaluate('(in-package "ACL2")')).package).toBe('ACL2');
    expect(image.image.prompt()).toBe('ACL2 !>');
  });

  it('takes one for a single evaluation', async () => {
    const image = await startImage();
    await image.evaluate('(defpkg "MINE" (list (quote acl2::defun)))');
    const answer = await image.evaluate('(defun f (x) x)', { package: 'MINE' });
    expect(proofOf(answer).events[0]?.events[0]?.names).toEqual(['MINE::F']);
    expect(answer.package).toBe('ACL2');
    expect((await image.evaluate('(mine::f 5)')).values).toEqual([['5']]);
  });

  it('refuses one that ACL2 does not know', async () => {
    const image = await startImage();
    const answer = await image.evaluate('(+ 1 2)', { package: 'LISP-HARBOR-ACL2' });
    expect(answer).toMatchObject({ outcome: 'error', condition: { type: 'Package error' }, forms: [] });
  });
});

it('never sent what is no record', () => {
  expect(complaints).toEqual([]);
});
