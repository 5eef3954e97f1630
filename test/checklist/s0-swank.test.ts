/** Checklist S0-17: Swank on a port of the person's choice, spoken to by SLIME itself, through a started harbor. */
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../free-port';
import { SlimeEmacs } from '../slime-emacs';
import { StartedHarbor } from '../started-harbor';

it('[S0-17] answers SLIME on the port that --swank-port names', async () => {
  const port = await freePort();
  const harbor = await StartedHarbor.start({ args: ['--swank-port', String(port)] });
  const emacs = new SlimeEmacs();
  onTestFinished(() => emacs.end());
  try {
    expect(harbor.ready).toMatchObject({ swank: port });
    await emacs.connect(port);
    expect(await emacs.evaluate('(lisp-implementation-type)')).toBe('("" "\\"SBCL\\"")');
  } finally {
    expect(await harbor.stop()).toBe(0);
  }
}, 120_000);
