/** Checklist S0-17: Swank on a port of the person's choice, spoken to by SLIME itself, through a started harbor. */
import { expect, it } from 'vitest';
import { freePort } from '../free-port';
import { SlimeEmacs } from '../slime-emacs';
import { StartedHarbor } from '../started-harbor';

it('[S0-17] answers SLIME on the port that --swank-port names', async () => {
  const port = await freePort();
  const harbor = await StartedHarbor.start({ args: ['--swank-port', String(port)] });
  try {
    expect(harbor.ready).toMatchObject({ swank: port });
    const emacs = new SlimeEmacs();
    await emacs.connect(port);
    expect(await emacs.evaluate('(lisp-implementation-type)')).toBe('("" "\\"SBCL\\"")');
  } finally {
    expect(await harbor.stop()).toBe(0);
  }
}, 120_000);
