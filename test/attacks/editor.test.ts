/**
 * A real Emacs, connected to a session, that evaluates what its Lisp sends it: code in the image reaches neither
 * its evaluator nor its files, and a pause stops the editor from the next message on.
 */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { attachedSession, valuesOf } from '../integration/slime-fixture';
import { PATIENT, temporaryFolder } from '../started-harbor';

const attachment = attachedSession();
const folder = temporaryFolder('editor');
const decoy = path.join(folder, 'decoy');
afterEach(() => rmSync(decoy, { force: true }));

/** Emacs Lisp that leaves a trace. */
const evil = `(write-region \\"x\\" nil \\"${decoy}\\")`;

/** Sends a text as a message over the connection that Swank has in the image. */
const raw = (message: string) =>
  `(let* ((stream (swank::connection.socket-io (or swank::*emacs-connection* (swank::default-connection))))
          (text (sb-ext:string-to-octets ${JSON.stringify(message)} :external-format :utf-8)))
     (write-sequence (sb-ext:string-to-octets (format nil "~6,'0x" (length text))) stream)
     (write-sequence text stream)
     (finish-output stream))`;

const connected = '(swank::with-connection ((swank::default-connection))';

const ATTACKS: readonly [string, string][] = [
  ['eval-in-emacs', `${connected} (swank:eval-in-emacs '(write-region "x" nil "${decoy}") t))`],
  ['eval-in-emacs, with an answer', `${connected} (swank:eval-in-emacs '(write-region "x" nil "${decoy}")))`],
  ['send-to-emacs', `${connected} (swank::send-to-emacs '(:eval-no-wait "${evil}")))`],
  ['ed-in-emacs', `${connected} (swank:ed-in-emacs "${decoy}"))`],
  ['a raw frame', raw(`(:eval-no-wait "${evil.replaceAll('\\"', '\\"')}")`)],
  [
    'a raw frame with text that Emacs evaluates when it shows it',
    raw(`(:write-string #("x" 0 1 (display (when (write-region "x" nil "${decoy}") . "y"))))`),
  ],
  ['a raw frame for a function', raw(`(:ed-rpc-no-wait "write-region" "x" nil "${decoy}")`)],
  [
    'an indentation that is a function',
    raw(`(:indentation-update (("evil-form" ("lambda" ("&rest" "x") ("write-region" 1 nil 2)) nil)))`),
  ],
];

describe('code in the image', () => {
  it.each(ATTACKS)('does not reach the editor by %s', async (_, code) => {
    const { emacs, session, anotherEmacs: __ } = attachment();
    await emacs.do('(setq slime-enable-evaluate-in-emacs t)');
    await valuesOf(session, `(ignore-errors ${code})`);
    // What it sends reaches Emacs in order, so it has arrived when this has.
    expect(await emacs.evaluate('(+ 40 2)')).toContain('42');
    expect(existsSync(decoy)).toBe(false);
    expect(await emacs.do(`(not (null (get-file-buffer "${decoy}")))`)).toBe('nil');
    expect(await emacs.do('(functionp (get (intern "evil-form") (quote common-lisp-indent-function)))')).toBe(
      'nil',
    );
  });

  it('would reach it without the port between them', async () => {
    const { emacs } = attachment();
    await emacs.do(`(slime-dispatch-event (list :eval-no-wait "${evil}"))`);
    expect(existsSync(decoy)).toBe(true);
  });

  it('has no descriptor of the editor’s connection', async () => {
    const { session } = attachment();
    const [count] = await valuesOf(
      session,
      `(loop for line in (rest (uiop:read-file-lines "/proc/self/net/tcp"))
             for inode = (tenth (remove "" (uiop:split-string line) :test #'string=))
             count (loop for file in (directory "/proc/self/fd/*" :resolve-symlinks nil)
                         thereis (search (format nil "socket:[~a]" inode)
                                         (ignore-errors (sb-posix:readlink file)))))`,
    );
    expect(count).toBe('0');
  });

  it('is evaluated for the editor as before, with its output, its debugger and its indentation', async () => {
    const { emacs } = attachment();
    expect(await emacs.evaluate('(progn (princ "out") (values 1 "é"))')).toContain('out');
    expect(await emacs.repl('(list 1 2)')).toContain('(1 2)');
    await emacs.do('(test-begin "(error \\"here\\")")');
    expect(await emacs.do('(test-debugger)')).toContain('here');
    await emacs.do('(with-current-buffer (sldb-get-default-buffer) (sldb-quit) t)');
  });
});

describe('a pause', () => {
  it('stops an editor that is connected from the next message on', async () => {
    const { emacs, session, refuse } = attachment();
    expect(await emacs.evaluate('(defparameter cl-user::*ran* 1)')).toContain('*RAN*');
    refuse('all agents are paused');
    try {
      await expect(emacs.evaluate('(setf cl-user::*ran* 2)')).rejects.toThrow(/aborted/);
      await emacs.do('(test-begin "(setf cl-user::*ran* 3)")');
      // A message is refused when it comes, and the port has handled all before that whose answer is here.
      await expect(emacs.evaluate('(setf cl-user::*ran* 4)')).rejects.toThrow(/aborted/);
    } finally {
      refuse(null);
    }
    expect(await emacs.evaluate('cl-user::*ran*')).toContain('1');
    expect(await valuesOf(session, 'cl-user::*ran*')).toEqual(['1']);
  });

  it('lets an editor interrupt what runs', async () => {
    const { emacs, refuse } = attachment();
    await emacs.do('(test-begin "(loop)")');
    await expect.poll(() => emacs.do('(not (null (slime-busy-p)))'), PATIENT).toBe('t');
    refuse('all agents are paused');
    try {
      await emacs.do('(progn (slime-interrupt) t)');
      expect(await emacs.do('(test-debugger)')).toContain('nterrupt');
    } finally {
      refuse(null);
    }
    await emacs.do('(with-current-buffer (sldb-get-default-buffer) (sldb-quit) t)');
  });
});
