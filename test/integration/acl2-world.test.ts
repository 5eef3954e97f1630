/** ACL2's world as a stack of commands: told, undone, and told of what that took along. */
import { describe, expect, it } from 'vitest';
import type { WorldCommand } from '../../electron/contract/world';
import type { World } from '../../electron/images/world';
import { issues, proofOf, startImage } from './acl2-fixture';
import type { TestImage } from './test-image';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
/** Of 70 it takes longer than anybody waits. */
const FIB = '(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';

function worldOf({ image }: TestImage): World {
  if (!image.world) throw new Error('ACL2 has no world.');
  return image.world;
}

/** The stack as forms. */
async function forms(image: TestImage): Promise<string[]> {
  const { commands } = await worldOf(image).commands({ limit: 1_000 });
  return commands.map(({ form }) => form);
}

async function undo(image: TestImage, command: number) {
  return image.evaluate(worldOf(image).undoCode(command));
}

async function undoOne(image: TestImage, command: number) {
  return image.evaluate(worldOf(image).undoOneCode(command));
}

async function command(image: TestImage, number: number): Promise<WorldCommand> {
  const { commands } = await worldOf(image).commands({ from: number, limit: 1 });
  const [found] = commands;
  if (!found) throw new Error(`There is no command ${number}.`);
  return found;
}

describe('the commands', () => {
  it('of a fresh world are none', async () => {
    const image = await startImage();
    expect(await worldOf(image).commands({ limit: 10 })).toEqual({ commands: [], total: 0 });
  });

  it('are told as data and as ACL2 prints them, with what they brought', async () => {
    const image = await startImage();
    await image.evaluate(`${APP} ${ASSOC} (in-theory (disable app-assoc)) (thm (equal x x)) (app nil nil)`);
    expect(await worldOf(image).commands({ limit: 10 })).toMatchObject({
      total: 3,
      commands: [
        {
          number: 1,
          form: '(DEFUN APP (X Y) (IF (CONSP X) (CONS (CAR X) (APP (CDR X) Y)) Y))',
          text: expect.stringMatching(/^\(DEFUN APP \(X Y\)\n\s+\(IF/),
          folder: null,
          file: null,
          embeddable: true,
          eventCount: 1,
          events: [
            {
              kind: 'DEFUN',
              names: ['APP'],
              depth: 0,
              skipped: false,
              rules: 'enabled',
              marks: [{ name: 'APP', mode: 'logic', guardsVerified: false }],
            },
          ],
        },
        {
          number: 2,
          events: [
            {
              kind: 'DEFTHM',
              names: ['APP-ASSOC'],
              rules: 'disabled',
              marks: [{ name: 'APP-ASSOC', mode: null, guardsVerified: false }],
            },
          ],
        },
        { number: 3, form: '(IN-THEORY (DISABLE APP-ASSOC))', events: [{ rules: null, marks: [] }] },
      ],
    });
  });

  it('have the marks of modes and guards, and say what may stand in a book', async () => {
    const image = await startImage();
    await image.evaluate(`
      (defun f (x) (declare (xargs :guard t)) x)
      (defun g (x) (declare (xargs :mode :program)) x)
      (er-progn (defun h (x) x) (value :done))
      (mutual-recursion (defun a (n) (if (zp n) n (b (- n 1)))) (defun b (n) (if (zp n) n (a (- n 1)))))
      (encapsulate () (local (defun hidden (x) x)) (defun seen (x) x))`);
    const { commands } = await worldOf(image).commands({ limit: 10 });
    expect(
      commands.map(({ events, embeddable }) => [events.flatMap(({ marks }) => marks), embeddable]),
    ).toEqual([
      [[{ name: 'F', mode: 'logic', guardsVerified: true }], true],
      [[{ name: 'G', mode: 'program', guardsVerified: false }], true],
      [[{ name: 'H', mode: 'logic', guardsVerified: false }], false],
      [
        [
          { name: 'A', mode: 'logic', guardsVerified: false },
          { name: 'B', mode: 'logic', guardsVerified: false },
        ],
        true,
      ],
      [[{ name: 'SEEN', mode: 'logic', guardsVerified: false }], true],
    ]);
    expect(commands.at(-1)?.events.map(({ kind, depth }) => [kind, depth])).toEqual([
      ['DEFUN', 1],
      ['ENCAPSULATE', 0],
    ]);
  });

  it('are written so that package ACL2 reads them back, whatever package they came from', async () => {
    const image = await startImage();
    await image.evaluate(`(defpkg "SHOP" '(defun x)) (in-package "SHOP") (defun price (tax) tax)`);
    expect((await command(image, 2)).form).toBe('(DEFUN SHOP::PRICE (SHOP::TAX) SHOP::TAX)');
    expect((await command(image, 2)).text).toBe('(DEFUN PRICE (TAX) TAX)');
  });

  it('come in pages', async () => {
    const image = await startImage();
    const labels = Array.from({ length: 30 }, (_, n) => `(deflabel l${n + 1})`);
    await image.evaluate(labels.join(' '));
    const page = await worldOf(image).commands({ from: 12, limit: 3 });
    expect([page.total, page.commands.map(({ number, form }) => `${number} ${form}`)]).toEqual([
      30,
      ['12 (DEFLABEL L12)', '13 (DEFLABEL L13)', '14 (DEFLABEL L14)'],
    ]);
    expect((await worldOf(image).commands({ from: 29, limit: 50 })).commands).toHaveLength(2);
    expect((await worldOf(image).commands({ from: 31, limit: 50 })).commands).toEqual([]);
  });

  it('are told only while nothing is evaluated, and an evaluation waits for them', async () => {
    const image = await startImage();
    await image.evaluate(FIB);
    const running = await image.running('(cw "ready~%") (fib 70)');
    await expect(worldOf(image).commands({ limit: 1 })).rejects.toMatchObject({ code: 'busy' });
    await image.interrupt('cooperative');
    expect((await running.settled).outcome).toBe('interrupted');
    const [told, evaluated] = await Promise.all([forms(image), image.evaluate('(+ 1 2)')]);
    expect([told.length, evaluated.values]).toEqual([1, [['3']]]);
  });

  it('are not told by an image that is gone', async () => {
    const image = await startImage();
    await image.image.end();
    await expect(worldOf(image).commands({ limit: 1 })).rejects.toMatchObject({ code: 'image_lost' });
  });
});

describe('undoing', () => {
  it('brings the world back to just after a command', async () => {
    const image = await startImage();
    await image.evaluate(`${APP} ${ASSOC} (defun f (x) x)`);
    expect((await undo(image, 2)).outcome).toBe('ok');
    expect((await forms(image)).length).toBe(2);
    const answer = await undo(image, 0);
    expect(proofOf(answer)).toMatchObject({ command: 0, events: [{ verdict: 'undone' }] });
    expect(await forms(image)).toEqual([]);
  });

  it('does nothing where it would change nothing', async () => {
    const image = await startImage();
    await image.evaluate(APP);
    expect((await undo(image, 1)).outcome).toBe('ok');
    expect((await forms(image)).length).toBe(1);
  });

  it.each([99, 2, -1])('of command %d, which is not there, is an error', async (number) => {
    const image = await startImage();
    await image.evaluate(APP);
    const { outcome, condition } = await undo(image, number);
    expect([outcome, condition?.message]).toEqual([
      'error',
      `ACL2 Error in HARBOR-UNDO:  There is no command ${number}. Commands of this world: 1 to 1.`,
    ]);
    expect((await forms(image)).length).toBe(1);
  });

  it('says why where ACL2 refuses it', async () => {
    const image = await startImage();
    await image.evaluate(`${APP} (disable-ubt) (defun f (x) x)`);
    const { outcome, condition } = await undo(image, 0);
    expect([outcome, condition?.message]).toEqual(['error', expect.stringContaining('disable-ubt')]);
    expect((await forms(image)).length).toBe(3);
  });

  it('counts on as ACL2 does after RESET-PREHISTORY', async () => {
    const image = await startImage();
    await image.evaluate(`${APP} (reset-prehistory) (defun f (x) x) (defun g (x) x)`);
    const { commands } = await worldOf(image).commands({ limit: 10 });
    expect(commands.map(({ number }) => number)).toEqual([-1, 0, 1, 2]);
    expect((await undo(image, 1)).outcome).toBe('ok');
    expect((await forms(image)).at(-1)).toBe('(DEFUN F (X) X)');
  });

  it('has a package and a session that go on as they were', async () => {
    const image = await startImage();
    await image.evaluate(`(defpkg "SHOP" '(defun x)) (in-package "SHOP") (defun price (x) x)`);
    const answer = await undo(image, 1);
    expect([answer.outcome, answer.package]).toEqual(['ok', 'SHOP']);
    expect((await undo(image, 0)).package).toBe('ACL2');
  });
});

describe('undoing one', () => {
  it('keeps those after it, and proves them again', async () => {
    const image = await startImage();
    await image.evaluate(`${APP} (defun f (x) x) ${ASSOC}`);
    const answer = await undoOne(image, 2);
    expect(answer.outcome).toBe('ok');
    expect((await forms(image)).map((form) => form.slice(0, 18))).toEqual([
      '(DEFUN APP (X Y) (',
      '(DEFTHM APP-ASSOC ',
    ]);
    const { events, lost, command: last } = proofOf(answer);
    expect([lost, last, issues(answer)]).toEqual([undefined, 2, []]);
    expect(events.map(({ operator, verdict }) => `${operator} ${verdict}`)).toEqual([
      'DEFTHM admitted',
      'HARBOR-UNDO-ONE undone',
    ]);
  });

  it('tells what does not stand without it, and goes on with the others', async () => {
    const image = await startImage();
    await image.evaluate(
      `${APP} (defun f (x) (list x)) (defthm f-conses (consp (f x))) (defun g (x) x) ${ASSOC}`,
    );
    const answer = await undoOne(image, 2);
    expect(answer.outcome).toBe('ok');
    expect(proofOf(answer).lost).toEqual([
      { command: 3, form: '(DEFTHM F-CONSES (CONSP (F X)))', because: expect.stringContaining('ACL2 Error') },
    ]);
    expect(answer.notes).toContainEqual(
      expect.stringMatching(/^Command 3 is no longer in the world: \(DEFTHM/),
    );
    expect((await forms(image)).map((form) => form.split(' ')[1])).toEqual(['APP', 'G', 'APP-ASSOC']);
  });

  it('never skips a proof, whatever the session has set', async () => {
    const image = await startImage();
    await image.evaluate(`(deflabel unrelated) (set-ld-skip-proofsp t state)
      (defthm wrong (equal (car x) x) :rule-classes nil) (defun f (x) x)`);
    const answer = await undoOne(image, 1);
    expect(proofOf(answer).lost?.map(({ command: number }) => number)).toEqual([2]);
    expect(await forms(image)).toEqual(['(DEFUN F (X) X)']);
    expect(issues(answer)).toEqual(['proofs-skipped-now']);
  });

  it('tells what cannot be read any more, and what folder each is of', async () => {
    const image = await startImage();
    await image.evaluate(`(defpkg "SHOP" '(defun x)) (defun shop::price (x) x) ${APP}`);
    const answer = await undoOne(image, 1);
    expect(proofOf(answer).lost).toEqual([
      { command: 2, form: '(DEFUN SHOP::PRICE (X) X)', because: expect.stringContaining('SHOP') },
    ]);
    expect((await forms(image)).length).toBe(1);
  });

  it('leaves the world whole when it is interrupted half way', async () => {
    const image = await startImage();
    await image.evaluate(`(defun f (x) x) ${APP}
      ${FIB}
      (make-event (prog2$ (and (boundp-global 'again state) (prog2$ (cw "ready~%") (fib 70))) '(deflabel l)))
      (defun g (x) x)
      (assign again t)`);
    const before = await forms(image);
    expect(before).toHaveLength(5);
    const running = await image.running(worldOf(image).undoOneCode(1));
    await image.interrupt('cooperative');
    const answer = await running.settled;
    expect([answer.outcome, proofOf(answer).lost]).toEqual(['interrupted', undefined]);
    expect(await forms(image)).toEqual(before);
    expect((await image.evaluate('(thm (equal (g x) x)) (app nil 3)')).values.at(-1)).toEqual(['3']);
  });

  it('of a command that is not there is an error', async () => {
    const image = await startImage();
    await image.evaluate(APP);
    for (const number of [0, 2]) expect((await undoOne(image, number)).outcome).toBe('error');
    expect((await forms(image)).length).toBe(1);
  });
});
