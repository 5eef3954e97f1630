/** A real SLY: its server is refused by its name, and its Emacs is told what our port is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attach } from '../integration/swank-fixture';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { COMPILING_MS } from '../swank-server';
import { SLY_VERSIONS } from './slime-versions';

describe.each(SLY_VERSIONS)('SLY $name', ({ folder }) => {
  it('is refused as a server', { timeout: COMPILING_MS }, async () => {
    const forms = [
      `(load "${folder}/slynk/slynk-loader.lisp")`,
      '(slynk-loader:init)',
      '(format t "~&port ~D~%" (slynk:create-server :port 0 :dont-close t))',
      '(progn (finish-output) (loop (sleep 60)))',
    ];
    const env = { ...process.env, HOME: temporaryFolder('sly') };
    const lisp = spawn('sbcl', ['--no-userinit', ...forms.flatMap((form) => ['--eval', form])], { env });
    onTestFinished(() => void lisp.kill('SIGKILL'));
    let said = '';
    while (!/^port \d+\n/m.test(said)) said += String((await once(lisp.stdout, 'data'))[0]);
    await expect(attach(Number(/^port (\d+)/m.exec(said)?.[1]))).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringMatching(/The server is Slynk, the server of SLY/),
    });
  });

  it('is told as an Emacs what our port is', { timeout: COMPILING_MS }, async () => {
    const harbor = await StartedHarbor.start({ args: ['--swank-port', '0'] });
    onTestFinished(async () => void (await harbor.stop()));
    const program = `(progn (require 'sly) (sly-connect "127.0.0.1" ${harbor.ready.swank})
      (while (sly-connected-p) (accept-process-output nil 0.05)))`;
    const env = { ...process.env, HOME: temporaryFolder('emacs') };
    const emacs = spawn('emacs', ['-q', '--batch', '-L', folder, '--eval', program], { env });
    onTestFinished(() => void emacs.kill('SIGKILL'));
    expect(await text(emacs.stderr)).toMatch(/Lisp Harbor: this is SLY.*M-x slime-connect/);
  });
});
