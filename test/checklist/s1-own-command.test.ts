/** An SBCL of one's own: each image of the harbor begins with what that command line has loaded. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { evaluate, values } from '../evaluation';
import { StartedHarbor, temporaryFolder, WAYS } from '../started-harbor';

/** A data folder whose settings name a command line, and the file that it loads. */
function own(form: string): { data: string; file: string } {
  const data = temporaryFolder('data');
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const file = path.join(data, 'own-server.lisp');
  writeFileSync(
    file,
    `(defpackage :own-server (:use :cl) (:export #:start #:*started*))
     (in-package :own-server)
     (defvar *started* nil)
     (defun start () (setf *started* (list :started)))`,
  );
  const sbclCommand = ['sbcl', '--load', file, '--eval', form];
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ sbclCommand }));
  return { data, file };
}

async function started(data: string): Promise<StartedHarbor> {
  const harbor = await StartedHarbor.start({ data, args: ['--engine', 'sbcl'] });
  onTestFinished(async () => void (await harbor.stop()));
  return harbor;
}

it('S1-11 starts images from the command line that a person gives, over HTTP and stdio', async () => {
  const { data, file } = own('(own-server:start)');
  const harbor = await started(data);
  for (const way of WAYS)
    expect(await values(await harbor.over(way), 'own-server:*started*')).toEqual(['(:STARTED)']);
  await harbor.stop();
  // What is loaded has changed, so images begin anew from it.
  appendFileSync(file, '(defun later () :later)');
  const again = await started(data);
  expect(await values(await again.client(), '(own-server::later)')).toEqual([':LATER']);
}, 300_000);

it('S1-11 says what is wrong with such a command line', async () => {
  const { data } = own('(error "on purpose")');
  const harbor = await started(data);
  const { text, isError } = await evaluate(await harbor.client(), '1');
  expect(isError).toBe(true);
  expect(text).toMatch(/^engine_unavailable: .*sbcl does not run: [\s\S]*on purpose/);
});
