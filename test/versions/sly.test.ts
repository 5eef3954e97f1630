/** A real SLY: its Emacs in a session, and sessions attached to its server. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { form } from '../forms';
import { attach, evaluate, hold } from '../integration/swank-fixture';
import { SlimeEmacs } from '../slime-emacs';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { COMPILING_MS } from '../swank-server';
import { SLY_VERSIONS } from './slime-versions';

interface Row {
  client: string;
  code: string;
  outcome: string;
}

describe.each(SLY_VERSIONS)('SLY $name', ({ folder }) => {
  let harbor: StartedHarbor;
  let client: Client;
  let emacs: SlimeEmacs;

  beforeAll(async () => {
    const ports = ['--slynk-port', '0', '--swank-port', '0'];
    harbor = await StartedHarbor.start({ args: ports, settings: { slyFolder: folder } });
    client = await harbor.client();
    emacs = new SlimeEmacs({ sly: folder });
    expect(await emacs.do(`(test-connect ${harbor.ready.slynk})`)).toBe('"sbcl"');
  }, COMPILING_MS);
  afterAll(async () => {
    await emacs.end();
    await harbor.stop();
  });

  /** The rows of SLY, newest first. */
  async function rows(): Promise<Row[]> {
    const { structured } = await call<{ rows: Row[] }>(client, 'history', { limit: 50 });
    return structured.rows.filter((row) => row.client === 'SLY');
  }

  it('evaluates, and its evaluations are in the history', { timeout: COMPILING_MS }, async () => {
    expect(await emacs.evaluate('(progn (princ :low) (list 1 2))')).toContain('(1 2)');
    expect((await rows())[0]).toMatchObject({ code: '(progn (princ :low) (list 1 2))', outcome: 'ok' });
    expect(await emacs.repl('(defun berth (ship) (list ship :berthed))')).toContain('BERTH');
    expect(await emacs.repl('(berth :ferry)')).toContain('(:FERRY :BERTHED)');
    expect((await rows())[0]).toMatchObject({ code: '(berth :ferry)', outcome: 'ok' });
    expect(await emacs.evaluate('(berth :tug)')).toContain('(:TUG :BERTHED)');
  });

  it('shows an error with its restarts, at the prompt too', { timeout: COMPILING_MS }, async () => {
    await emacs.begin('(error "high water")');
    expect(await emacs.do('(test-debugger)')).toContain('high water');
    await emacs.do('(test-quit)');
    await expect.poll(async () => (await rows())[0]?.outcome, PATIENT).toBe('error');
    await emacs.do(
      '(with-current-buffer (test-wait (quote test-mrepl)) (goto-char (point-max)) (insert "(error \\"low water\\")") (sly-mrepl-return))',
    );
    expect(await emacs.do('(test-debugger)')).toContain('low water');
    await emacs.do('(test-quit)');
    await expect.poll(async () => (await rows())[0]?.outcome, PATIENT).toBe('error');
    expect(await emacs.repl('(+ 20 3)')).toContain('23');
  });

  it('reads a line, and completes', { timeout: COMPILING_MS }, async () => {
    await emacs.do(
      '(with-current-buffer (test-wait (quote test-mrepl)) (goto-char (point-max)) (insert "(list :read (read-line))") (sly-mrepl-return))',
    );
    await emacs.do(
      '(test-wait (lambda () (with-current-buffer (sly-mrepl--find-buffer) sly-mrepl--read-mark)))',
    );
    await emacs.do(
      '(with-current-buffer (sly-mrepl--find-buffer) (goto-char (point-max)) (insert "flood") (sly-mrepl-return))',
    );
    await emacs.do('(test-wait (quote test-mrepl))');
    expect((await rows())[0]).toMatchObject({ code: '(list :read (read-line))', outcome: 'ok' });
    expect(await emacs.do(`(sly-eval '(slynk-completion:flex-completions "mapcar" "CL-USER"))`)).toContain(
      'mapcar',
    );
  });

  it('is sent to its own port from that of SLIME', { timeout: COMPILING_MS }, async () => {
    const other = new SlimeEmacs({ sly: folder });
    onTestFinished(() => other.end());
    await other.do(`(sly-connect "127.0.0.1" ${harbor.ready.swank})`);
    await other.do('(test-disconnected)');
    expect(other.said).toMatch(/Lisp Harbor: this is SLY.*--protocol slynk/);
  });

  describe('a session attached to its server', () => {
    const printed = { text: '' };
    let port: number;

    beforeAll(async () => {
      const forms = [
        `(load "${folder}/slynk/slynk-loader.lisp")`,
        '(slynk-loader:init)',
        '(format t "~&port ~D~%" (slynk:create-server :port 0 :dont-close t))',
        '(progn (finish-output) (loop (sleep 60)))',
      ];
      const env = { ...process.env, HOME: temporaryFolder('sly') };
      lisp = spawn('sbcl', ['--no-userinit', ...forms.flatMap((form) => ['--eval', form])], { env });
      while (!/^port \d+\n/m.test(printed.text)) printed.text += String((await once(lisp.stdout, 'data'))[0]);
      port = Number(/^port (\d+)/m.exec(printed.text)?.[1]);
    }, COMPILING_MS);
    let lisp: ChildProcessWithoutNullStreams | undefined;
    afterAll(() => void lisp?.kill('SIGKILL'));
    const slynk = () => attach(port, '/nowhere', 'slynk');

    it('evaluates with output, input, warnings and variables of its own', async () => {
      const image = await slynk();
      const code = '(princ :low) (princ :err *error-output*) (values 1 (list 2))';
      expect(await evaluate(image, code)).toMatchObject({
        ...{ outcome: 'ok', stdout: 'LOW', stderr: 'ERR', values: [':LOW', ':ERR', '1', '(2)'] },
      });
      expect((await evaluate(image, '(list * (first /))')).values).toEqual(['(1 1)']);
      const lines = ['tide'];
      const input = async () => lines.shift() ?? null;
      expect((await evaluate(image, '(read-line)', { input })).values[0]).toBe('"tide"');
      const other = await slynk();
      expect((await evaluate(other, '*')).values).toEqual(['NIL']);
      const { warnings } = await evaluate(image, '(defun leak (x) (undefined-pump 1))');
      expect(warnings.length).toBeGreaterThan(0);
    });

    it('suspends in the debugger, with frames and restarts', async () => {
      const image = await slynk();
      await evaluate(image, '(defun sink (depth) (if (> depth 2) (error "deep") (1+ (sink (1+ depth)))))');
      const { held, outcome } = await hold(image, '(restart-case (sink 0) (use-value (x) x))');
      expect(held.condition).toMatchObject({ message: 'deep', type: 'SIMPLE-ERROR' });
      const shown = await image.debugger?.show({ offset: 0, limit: 20 });
      expect(shown?.frames.map(({ call }) => call).join()).toContain('SINK');
      expect(shown?.frames.map(({ call }) => call).join()).not.toContain('LISP-HARBOR');
      expect((await evaluate(image, '(+ 1 1)')).values).toEqual(['2']);
      await image.debugger?.restart({ restart: 'use-value', arguments: [form('7')] });
      expect((await outcome).forms[0]?.values).toEqual(['7']);
    });

    it('is interrupted, and keeps its state', async () => {
      const image = await slynk();
      const running = evaluate(image, '(progn (setf (get :pump :on) t) (loop))', { id: 4_711 });
      await expect.poll(async () => image.interrupt(4_711, 'cooperative'), PATIENT).toBe(true);
      expect((await running).outcome).toBe('interrupted');
      expect((await evaluate(image, '(get :pump :on)')).values).toEqual(['T']);
    });

    it('knows names, and inspects values', async () => {
      const image = await slynk();
      await evaluate(image, '(defun gauge (level &optional unit) "Reads it." (list level unit))');
      const described = await image.knowledge?.describe({ symbol: 'gauge', package: 'COMMON-LISP-USER' });
      expect(JSON.stringify(described)).toMatch(/Reads it.*level/i);
      const found = await image.knowledge?.find({ kind: 'apropos', query: 'gauge', limit: 5 });
      expect(found?.results.map(({ text }) => text).join()).toMatch(/gauge/i);
      const completed = await image.knowledge?.find({
        kind: 'completions',
        query: 'multiple-value-b',
        limit: 5,
      });
      expect(completed?.results.map(({ text }) => text)).toContain('multiple-value-bind');
      await evaluate(image, '(list :a (list 1 2))');
      const inspection = await image.inspector?.inspect({ start: { last: true }, path: [1], offset: 0 });
      expect(inspection?.text).toBe('(1 2)');
    });

    it('is refused as Swank, with the kind that it has', async () => {
      await expect(attach(port)).rejects.toMatchObject({
        ...{ code: 'engine_failed', message: expect.stringContaining('"slynk"') },
      });
    });
  });
});
