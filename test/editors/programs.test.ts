/**
 * Neovim as a client of the language server, and Jupyter's own client of a kernel. `EDITOR_PROGRAMS=1` selects these tests;
 * they need Debian's neovim and python3-jupyter-client.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT, StartedHarbor, temporaryFolder } from '../started-harbor';

const ENTRY = path.join(ROOT, 'resources/setup/lisp-harbor.mjs');

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
});
afterAll(() => harbor.stop());

/** The last line that a program prints, as data. */
async function answersOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, {
    cwd: harbor.project,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', HOME: temporaryFolder('editor-home'), ...env },
  });
  return JSON.parse((await text(child.stdout)).trim().split('\n').at(-1) ?? '');
}

it('Neovim finds, completes, evaluates, shows an error and interrupts', async () => {
  const file = path.join(harbor.project, 'editor.lisp');
  writeFileSync(
    file,
    '(in-package :cl-user)\n(defun twice (n) "Two times." (* 2 n))\n(defun quad (n) (twi (twice n)))\n',
  );
  const script = path.join(import.meta.dirname, 'neovim.lua');
  const answers = await answersOf('nvim', ['--clean', '--headless', '-u', 'NONE', '-S', script], {
    LSP_COMMAND: JSON.stringify([process.execPath, ENTRY, 'lsp', '--data', harbor.data]),
    LSP_FILE: file,
    LSP_ROOT: harbor.project,
  });
  expect(answers).toMatchObject({
    definition: [{ range: { start: { line: 1, character: 7 } } }],
    completion: { items: [{ label: 'twice' }] },
    loaded: { result: { outcome: 'ok' } },
    evaluated: { result: { forms: [{ values: ['42'] }] } },
    failed: { result: { outcome: 'error' } },
    stopped: { outcome: 'interrupted' },
    diagnostics: [expect.stringMatching(/TWI/), expect.stringMatching(/on purpose/)],
  });
});

it("Jupyter's client runs cells, reads, completes, interrupts and restarts", async () => {
  const data = temporaryFolder('jupyter-data');
  const folder = path.join(data, 'kernels/harbor');
  mkdirSync(folder, { recursive: true });
  const argv = [process.execPath, ENTRY, 'kernel', '--data', harbor.data, '--engine', 'sbcl'];
  const specification = {
    ...{ argv: [...argv, '{connection_file}'], display_name: 'SBCL', language: 'common-lisp' },
    interrupt_mode: 'message',
  };
  writeFileSync(path.join(folder, 'kernel.json'), JSON.stringify(specification));
  const script = path.join(import.meta.dirname, 'jupyter.py');
  const answers = await answersOf('/usr/bin/python3', [script, 'harbor'], { JUPYTER_DATA_DIR: data });
  expect(answers).toMatchObject({
    read: { reply: { status: 'ok' } },
    failed: { reply: { ename: 'SIMPLE-ERROR' } },
    completed: { matches: expect.arrayContaining(['mapcar']) },
    inspected: { found: true },
    interrupted: { ename: 'interrupted' },
    restarted: { reply: { status: 'ok', execution_count: 1 } },
    beats: true,
  });
});
