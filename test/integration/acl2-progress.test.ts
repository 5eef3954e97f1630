/** How far a proof has come, asked of a real ACL2 while it runs: the proof must not notice. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Acl2Image } from '../../electron/images/acl2/image';
import { ENDLESS, PIGEONS } from '../pigeons';
import { PATIENT } from '../started-harbor';
import { complaints, proofOf, startImage } from './acl2-fixture';

/** Only GCL's prover can be asked; elsewhere there is what it prints. */
const ON_GCL = process.env.ACL2 === undefined;

/** Takes about a second; its hint says that it has begun. */
const LONG = `(thm (and (pigeons 6) (equal (app (app x y) z) (app x (app y z))))
  :hints ((prog2$ (cw "ready~%") nil)))`;

async function acl2() {
  const image = await startImage();
  await image.evaluate(PIGEONS);
  return { image, asked: image.image as Acl2Image };
}

describe('progress', () => {
  it('ends no program that the image runs', async () => {
    const image = await startImage();
    image.image.rawLisp?.allow();
    const { project } = image.request;
    await writeFile(path.join(project, 'slow'), `echo begun > begun\nsleep 1\necho over > over\n`);
    await image.evaluate('(defttag :programs)');
    const settled = image.evaluate(`(sys-call "/bin/sh" '("slow"))`);
    await expect.poll(() => existsSync(path.join(project, 'begun')), PATIENT).toBe(true);
    await (image.image as Acl2Image).progress();
    await settled;
    expect(existsSync(path.join(project, 'over'))).toBe(true);
  });

  it('names the form and its goal, and what the prover is in', async () => {
    const { image, asked } = await acl2();
    expect(await asked.progress()).toBeNull();
    const { settled } = await image.running(`(+ 1 2) ${ENDLESS}`);
    const ofProver = ON_GCL
      ? {
          steps: expect.any(Number),
          stack: expect.stringMatching(/WATERFALL|PROVE/),
          checkpoints: { top: [{ goal: 'Subgoal 2', form: '(EQUAL (APP X Y) Z)' }] },
        }
      : { steps: null, stack: null, checkpoints: null };
    // One answer tells as much as that moment of the proof allows, and may come too late.
    await expect
      .poll(() => asked.progress(), PATIENT)
      .toMatchObject({ form: 1, goal: 'Subgoal 1', ...ofProver });
    await image.interrupt('cooperative');
    expect((await settled).outcome).toBe('interrupted');
    expect(await asked.progress()).toBeNull();
  });

  it('is asked as often as it answers and the proof comes out the same', async () => {
    const { image, asked } = await acl2();
    const alone = await image.evaluate(LONG);
    const { settled } = await image.running(LONG);
    const over = settled.then(() => true);
    let answers = 0;
    while (!(await Promise.race([over, turn(false)]))) if (await asked.progress()) answers += 1;
    const answer = await settled;
    expect(answers).toBeGreaterThan(0);
    const figures = ({ report }: typeof answer) => ({
      ...proofOf({ ...answer, ...(report ? { report } : {}) }).events[0]?.figures,
      milliseconds: null,
    });
    expect(figures(answer)).toEqual(figures(alone));
    expect(answer).toMatchObject({ outcome: 'ok', stdout: alone.stdout });
    expect(complaints).toEqual([]);
  });

  it('is asked by several at once, and of what proves nothing', async () => {
    const { image, asked } = await acl2();
    await image.evaluate('(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))');
    const { settled } = await image.running('(prog2$ (cw "ready~%") (fib 24))');
    for (let question = 0; question < 10; question += 1) {
      const answers = await Promise.all([asked.progress(), asked.progress(), asked.progress()]);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    }
    const answer = await settled;
    expect(answer).toMatchObject({ outcome: 'ok', values: [['46368']], stdout: 'ready\n' });
    expect((await image.evaluate('(app (list 1) (list 2))')).values).toEqual([['(1 2)']]);
  });
});
