/** Lisply's compliance tests of a real GNU Emacs, asked through a started harbor that is attached to it. */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LISPLY_TOOLS } from '../../electron/compat/lisply/lisply-backend';
import { call } from '../evaluation';
import { harborWithBackends } from '../lisply-backends';
import { compliant, LisplyClient } from '../lisply-client';
import { LisplyEmacs } from '../lisply-emacs';
import { PATIENT, temporaryFolder } from '../started-harbor';

async function emacs(): Promise<LisplyEmacs> {
  const started = await LisplyEmacs.start();
  onTestFinished(() => started.stop());
  return started;
}

it('S0-31 S0-32 S0-33 S0-34 S0-35 S0-36 passes the compliance tests through us, twice in a row', async () => {
  const { url } = await emacs();
  const harbor = await harborWithBackends(url);
  const attached = await call<{ session: string }>(await harbor.client(), 'open_session', {
    attach: { kind: 'lisply', url },
  });
  const base = new URL(`/lisply/${attached.structured.session}`, harbor.ready.mcp).href;
  // An attached session belongs to the client of the ready line, over every endpoint.
  const lisply = new LisplyClient(base, harbor.ready.token);
  const right = compliant({ success: false, error: expect.stringContaining('Emacs Lisp has no packages') });
  expect(await lisply.compliance()).toEqual(right);
  expect(await lisply.compliance()).toEqual(right);
  expect((await new LisplyClient(url).tools()).body).toEqual(LISPLY_TOOLS);
  const printed = await lisply.evaluate('(princ "λ") (message "%d" 7) (list (emacs-pid) :ok "ä")');
  expect(printed.body).toEqual({
    success: true,
    result: expect.stringMatching(/^\(\d+ :ok "ä"\)$/),
    stdout: 'λ7\n',
  });
}, 120_000);

it('stays there whatever code asks for, and tells errors by their symbol', async () => {
  const backend = new LisplyClient((await emacs()).url);
  const failures = {
    '(car 1)': /^wrong-type-argument: /,
    '(error "x %d" 1)': /^error: x 1$/,
    '(kill-emacs)': /not ended by code/,
    '(read-string "name? ")': /Nobody is there/,
    '(list 1': /^end-of-file/,
    '(defun deep () (1+ (deep))) (deep)': /nesting|recursion/i,
  };
  for (const [code, error] of Object.entries(failures)) {
    const { body } = await backend.evaluate(code);
    expect([code, body]).toEqual([code, { success: false, error: expect.stringMatching(error) }]);
  }
  expect((await backend.evaluate('(let ((x (list 1))) (setcdr x x) x)')).body).toMatchObject({
    result: '#1=(1 . #1#)',
  });
  expect((await backend.ask('lisp-eval')).status).toBe(405);
  expect((await backend.ask('ping-lisp', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
});

it('is interrupted by SIGUSR2, also in a loop', async () => {
  const running = await emacs();
  const backend = new LisplyClient(running.url);
  const folder = temporaryFolder('begun');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const begun = path.join(folder, 'begun');
  const looping = backend.evaluate(`(write-region "" nil ${JSON.stringify(begun)}) (while t)`);
  await expect.poll(() => existsSync(begun), PATIENT).toBe(true);
  running.interrupt();
  expect((await looping).body).toEqual({ success: false, error: expect.stringMatching(/^quit/) });
  expect((await backend.evaluate('(+ 1 2)')).body).toMatchObject({ result: '3' });
});
