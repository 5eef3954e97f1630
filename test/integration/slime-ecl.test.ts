/** SLIME on an ECL session, in its sandbox: the same tunnels and the same records as on SBCL. */
import { expect, it } from 'vitest';
import { ECL } from '../../electron/images/portable/implementations';
import { PATIENT } from '../started-harbor';
import { portableEngine } from './portable-fixture';
import { evaluate } from './sessions-fixture';
import { attachedSession } from './slime-fixture';

const attached = attachedSession({ unconfined: false, on: portableEngine(ECL) });

it('evaluates in the image of the agent, and its evaluations are in the history', async () => {
  const { emacs, session, history } = attached();
  await evaluate(session, '(defvar *tide* :low)').settled;
  expect(await emacs.evaluate('(progn (princ :now) *tide*)')).toBe('("NOW" ":LOW")');
  expect(await emacs.repl('(defun berth (ship) (list ship :berthed))')).toContain('BERTH');
  expect((await evaluate(session, '(berth :ferry)').settled).forms).toMatchObject([
    { values: ['(:FERRY :BERTHED)'] },
  ]);
  const { rows } = history.evaluations.page({ session: session.id, client: 'SLIME', limit: 5 });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
});

it('shows an error with its restarts, and stays connected when that is left', async () => {
  const { emacs } = attached();
  await emacs.begin('(error "high water")');
  expect(await emacs.do('(test-debugger)')).toContain('high water');
  await emacs.do('(with-current-buffer (sldb-get-default-buffer) (sldb-quit))');
  expect(await emacs.repl('(+ 20 3)')).toContain('23');
});

it('leaves the session as it is when the port closes', async () => {
  const { emacs, ports, session } = attached();
  expect(await ports.stop(session.id)).toEqual({ closed: true, threads: [] });
  await emacs.do('(test-disconnected)');
  await expect
    .poll(async () => (await evaluate(session, '*tide*').settled).forms[0]?.values, PATIENT)
    .toEqual([':LOW']);
});
