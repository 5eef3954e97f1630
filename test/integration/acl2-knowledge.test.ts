/** What ACL2's world says of names: what each stands for, and where it is used. */
import { describe, expect, it } from 'vitest';
import type { Definition, FindRequest } from '../../electron/contract/knowledge';
import type { Knowledge } from '../../electron/images/optional-groups';
import { form } from '../forms';
import { startImage } from './acl2-fixture';
import { writeFiles } from './loading-fixture';
import type { TestImage } from './test-image';

const APP = `(defun app (x y) "Joins." (declare (xargs :guard (true-listp x)))
  (if (consp x) (cons (car x) (app (cdr x) y)) y))`;
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';

function knowledgeOf({ image }: TestImage): Knowledge {
  if (!image.knowledge) throw new Error('ACL2 knows no names.');
  return image.knowledge;
}

async function defined(image: TestImage, symbol: string): Promise<Definition | undefined> {
  const { definitions } = await knowledgeOf(image).describe({ symbol });
  return definitions[0];
}

async function found(image: TestImage, request: Omit<FindRequest, 'limit'>): Promise<string[]> {
  const { results } = await knowledgeOf(image).find({ limit: 20, ...request });
  return results.map(({ kind, text }) => `${kind} ${text}`);
}

describe('describes', () => {
  it('a function: its event, guard, signature, rules and where it comes from', async () => {
    const image = await startImage();
    await image.evaluate(`${APP} (in-theory (disable (:definition app)))`);
    expect(await knowledgeOf(image).describe({ symbol: 'app' })).toMatchObject({
      symbol: 'APP',
      status: 'of the current package ACL2',
      definitions: [
        {
          kind: 'function',
          name: 'APP',
          arglist: '(X Y)',
          signature: '(APP * *) => *',
          guard: '(TRUE-LISTP X)',
          guardsVerified: true,
          mode: 'logic',
          documentation: 'Joins.',
          command: 1,
          type: expect.stringContaining('(CONSP (APP X Y))'),
          event: expect.stringMatching(/^\(DEFUN APP \(X Y\)/),
          rules: expect.arrayContaining([
            { rune: '(:DEFINITION APP)', enabled: false },
            { rune: '(:INDUCTION APP)', enabled: true },
          ]),
          rulesText: expect.stringContaining('Lhs:'),
          properties: expect.arrayContaining(['FORMALS (X Y)']),
        },
      ],
    });
  });

  it('a theorem with its formula, a macro, a constant, a stobj, a constrained and a program function', async () => {
    const image = await startImage();
    await image.evaluate(`${APP} ${ASSOC} (defmacro twice (x &key (by '2)) (list '* by x)) (defconst *c* '(1 2))
      (defstobj st fld) (encapsulate (((h *) => *)) (local (defun h (x) x)) (defthm h-h (equal (h (h x)) (h x))))
      (defun p (x) (declare (xargs :mode :program)) x) (defun s (st) (declare (xargs :stobjs st)) (update-fld 1 st))`);
    expect(await defined(image, 'app-assoc')).toMatchObject({
      kind: 'theorem',
      formula: expect.stringMatching(/^\(EQUAL \(APP \(APP X Y\) Z\)/),
      rules: [{ rune: '(:REWRITE APP-ASSOC)', enabled: true }],
    });
    expect(await defined(image, 'twice')).toMatchObject({
      kind: 'macro',
      arglist: '(X &KEY (BY (QUOTE 2)))',
    });
    expect(await defined(image, '*c*')).toMatchObject({ kind: 'constant', value: '(1 2)' });
    expect(await defined(image, 'st')).toMatchObject({ kind: 'stobj', command: 5 });
    expect(await defined(image, 'h')).toMatchObject({ kind: 'constrained function', command: 6 });
    expect(await defined(image, 'p')).toMatchObject({ mode: 'program', guardsVerified: false });
    expect(await defined(image, 's')).toMatchObject({ signature: '(S ST) => ST' });
  });

  it('what is built in, with ACL2’s own documentation, and a topic of that which is no name', async () => {
    const image = await startImage();
    expect(await defined(image, 'append')).toMatchObject({
      kind: 'macro',
      builtIn: true,
      documentation: expect.stringContaining('zero or more lists'),
    });
    expect(await defined(image, 'if')).toMatchObject({ kind: 'function', arglist: '(X Y Z)', builtIn: true });
    expect(await defined(image, 'hints')).toEqual({
      kind: 'topic',
      name: 'HINTS',
      documentation: expect.stringContaining('Advice to the theorem proving process'),
    });
    expect((await image.evaluate('(+ 1 2)')).output).toEqual([]);
  });

  it('a name of another package, however it is written, a package, and what a file or book holds', async () => {
    const image = await startImage();
    writeFiles(image.request.project, {
      'b.lisp': `(in-package "ACL2")\n(defun in-book (x) x)\n`,
      'f.lisp': '(defun in-file (x) x)\n',
    });
    await image.evaluate(`(defpkg "SHOP" '(defun)) (defun shop::|Odd one| (x) x) (include-book "b")
      (harbor-load "${image.request.project}/f.lisp")`);
    expect(await defined(image, 'shop::|Odd one|')).toMatchObject({ name: 'SHOP::|Odd one|', command: 2 });
    await image.evaluate('(in-package "SHOP")');
    expect(await defined(image, '|Odd one|')).toMatchObject({ name: '|Odd one|' });
    expect(await defined(image, 'hints')).toMatchObject({ kind: 'topic' });
    expect(await defined(image, 'shop')).toMatchObject({ kind: 'package', name: 'SHOP' });
    expect(await defined(image, 'acl2::in-book')).toMatchObject({
      command: 3,
      source: { file: `${image.request.project}/b.lisp` },
    });
    expect(await defined(image, 'acl2::in-file')).toMatchObject({
      command: 4,
      source: { file: `${image.request.project}/f.lisp` },
    });
  });

  it('no name that is not there: it names those that are near, and interns nothing', async () => {
    const image = await startImage();
    await image.evaluate(APP);
    await expect(knowledgeOf(image).describe({ symbol: 'nowhere::app' })).rejects.toMatchObject({
      code: 'unknown_package',
    });
    await expect(knowledgeOf(image).describe({ symbol: 'binary-app' })).rejects.toThrow(/BINARY-APPEND/);
    await expect(knowledgeOf(image).describe({ symbol: 'qqqqq' })).rejects.toMatchObject({
      code: 'unknown_symbol',
    });
    await expect(knowledgeOf(image).describe({ symbol: 'lisp-harbor-acl2::serve' })).rejects.toMatchObject({
      code: 'unknown_package',
    });
  });

  it.each(['', '|', '::', 'a|b', '"', "(f 'x)", 'x\ny', 'λ', ':goal', '#.(exit 3)'])(
    'nothing that %j could break',
    async (symbol) => {
      const image = await startImage();
      await knowledgeOf(image)
        .describe({ symbol })
        .catch(() => undefined);
      expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
    },
  );

  it('expansions, one step of them or all', async () => {
    const image = await startImage();
    const expanded = async (extent: 'once' | 'full') =>
      (await image.evaluate(knowledgeOf(image).expansionCode(form('(cond ((and a b) 1))'), extent))).values;
    expect([await expanded('once'), await expanded('full')]).toEqual([
      [['(IF (AND A B) (LIST 1) NIL)'.replace('(LIST 1)', '1')]],
      [["(IF (IF A B 'NIL) '1 'NIL)"]],
    ]);
  });
});

describe('finds', () => {
  const WORLD = `${APP} ${ASSOC} (defun twice (x) (app x x)) (defmacro app2 (x) (list 'app x x))
    (defun thrice (x) (app x (app2 x))) (in-theory (disable app)) (defun other (x) x)`;

  it('names by a part, the session’s own first, and only those of a kind', async () => {
    const image = await startImage();
    await image.evaluate(WORLD);
    expect((await found(image, { kind: 'apropos', query: 'app' })).slice(0, 3)).toEqual([
      'function APP',
      'theorem APP-ASSOC',
      'macro APP2',
    ]);
    expect((await found(image, { kind: 'apropos', query: 'app', only: ['theorem'] }))[0]).toBe(
      'theorem APP-ASSOC',
    );
    expect(await found(image, { kind: 'apropos', query: 'app', only: ['class'] })).toEqual([]);
    const { total, results } = await knowledgeOf(image).find({ kind: 'apropos', query: 'append', limit: 2 });
    expect([results.length, total > 10]).toEqual([2, true]);
  });

  it('where a name is defined, and what calls it, through macros that give it another name', async () => {
    const image = await startImage();
    await image.evaluate(`${WORLD} (defun joins (x) (append x x))`);
    expect(
      (await knowledgeOf(image).find({ kind: 'definitions', query: 'twice', limit: 9 })).results,
    ).toEqual([{ kind: 'function', text: 'TWICE', arglist: '(X)', command: 3 }]);
    expect(await found(image, { kind: 'callers', query: 'app' })).toEqual([
      'calls APP',
      'calls APP-ASSOC',
      'calls THRICE',
      'calls TWICE',
    ]);
    expect((await found(image, { kind: 'callers', query: 'append' }))[0]).toBe('calls JOINS');
  });

  it('what else mentions a name', async () => {
    const image = await startImage();
    await image.evaluate(WORLD);
    expect(await found(image, { kind: 'references', query: 'app' })).toEqual([
      'calls APP',
      'calls APP-ASSOC',
      'calls THRICE',
      'calls TWICE',
      'mentions (DEFMACRO APP2 (X) (LIST (QUOTE APP) X X))',
      'mentions (IN-THEORY (DISABLE APP))',
    ]);
  });

  it('how a name that was begun may go on', async () => {
    const image = await startImage();
    await image.evaluate(`${APP} (defpkg "SHOP" '(defun)) (defun shop::price (x) x)`);
    expect((await found(image, { kind: 'completions', query: 'ap' }))[0]).toBe('completion app');
    expect(await found(image, { kind: 'completions', query: 'shop::p' })).toEqual(['completion shop::price']);
  });

  it('what is in no file', async () => {
    const image = await startImage();
    writeFiles(image.request.project, {
      'f.lisp': '(defun in-file (x) x)\n',
      'b.lisp': '(in-package "ACL2")\n(defun in-book (x) x)\n',
    });
    await image.evaluate(`${APP} (harbor-load "${image.request.project}/f.lisp") (include-book "b")
      (encapsulate () (local (defun hidden (x) x)) (defun seen (x) x)) (in-theory (disable app)) (defun gone (x) x) :u`);
    expect(await found(image, { kind: 'unsaved', query: '' })).toEqual(['function APP', 'function SEEN']);
    expect(await found(image, { kind: 'unsaved', query: 'see' })).toEqual(['function SEEN']);
  });

  it('nothing while an evaluation runs, and says what to do', async () => {
    const image = await startImage();
    await image.evaluate('(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))');
    const running = await image.running('(cw "ready~%") (fib 70)');
    await expect(knowledgeOf(image).describe({ symbol: 'fib' })).rejects.toThrow(/Wait for it or cancel it/);
    await image.interrupt('cooperative');
    await running.settled;
    expect(await defined(image, 'fib')).toMatchObject({ kind: 'function' });
  });
});

it('marks what is no theorem, and what rests on it', async () => {
  const image = await startImage();
  writeFiles(image.request.project, {
    'weak.lisp': '(in-package "ACL2")\n(defthm weak (equal (car x) x) :rule-classes nil)\n',
  });
  await image.evaluate(`${APP} ${ASSOC}
    (defaxiom given (equal (car x) x) :rule-classes nil)
    (skip-proofs (defthm skipped (equal (cdr x) x) :rule-classes nil))
    (skip-proofs (defun endless (x) (declare (xargs :measure (acl2-count x))) (if (consp x) (endless (list x)) x)))
    (include-book "weak")
    (defthm from-axiom (equal (car 3) 3) :hints (("Goal" :use (:instance given (x 3)))) :rule-classes nil)
    (defthm from-skip (equal (cdr 3) 3) :hints (("Goal" :use (:instance skipped (x 3)))) :rule-classes nil)
    (defthm from-both (and (equal (cdr 3) 3) (equal (car 3) 3)) :hints (("Goal" :use (from-skip from-axiom))) :rule-classes nil)
    (defun calls-endless (x) (endless x))`);
  const names = [
    'app-assoc',
    'given',
    'skipped',
    'endless',
    'weak',
    'from-axiom',
    'from-skip',
    'calls-endless',
  ];
  const kinds = await Promise.all(names.map(async (name) => (await defined(image, name))?.kind));
  expect(kinds).toEqual([
    'theorem',
    'axiom, not proved',
    'theorem, proof skipped',
    'function, proof skipped',
    'theorem, of an uncertified book',
    'theorem, rests on GIVEN, which is not proved',
    'theorem, rests on SKIPPED, which is not proved',
    'function, rests on ENDLESS, which is not proved',
  ]);
  const dependencies = await image.image.world?.dependencies('from-both', 3);
  for (const { name, kind } of dependencies ?? [])
    expect([name, kind]).toEqual([name, expect.stringMatching(/not proved|skipped/)]);
  expect(await found(image, { kind: 'apropos', query: 'skipped' })).toContain(
    'theorem, proof skipped SKIPPED',
  );
});
