/** What `lisp-harbor agent install` puts into a program works there: its model is told of the skill, and of what the hook found. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ROOT, temporaryFolder } from '../started-harbor';
import { PROGRAMS } from './programs';
import { NODE } from './run-program';
import { type ScriptedCall, ScriptedModel } from './scripted-model';

const FOLDER = process.env.CLIENT_PROGRAMS ?? '';
const BROKEN = '(defun f (x)\n  (list (car x 1))\n';
const PATCH = `*** Begin Patch\n*** Add File: a.lisp\n${BROKEN.replace(/^(?=.)/gm, '+')}*** End Patch\n`;

interface Editing {
  name: string;
  /** Writes a file that is broken. */
  call: (file: string) => ScriptedCall;
  /** What it takes for that, after the words that `prepare` says. */
  words: readonly string[];
}

const EDITING: readonly Editing[] = [
  {
    name: 'claude-code',
    call: (file_path) => ({ tool: /^Write$/, args: { file_path, content: BROKEN } }),
    words: ['--allowedTools', 'Write'],
  },
  {
    name: 'codex',
    call: () => ({ tool: /^apply_patch$/, args: { input: PATCH } }),
    // Only models that it knows patch by a tool, and hooks wait for a person's trust.
    words: ['--dangerously-bypass-hook-trust', '-c', 'model="gpt-5.5"'],
  },
  {
    name: 'opencode',
    call: (filePath) => ({ tool: /^write$/, args: { filePath, content: BROKEN } }),
    words: [],
  },
];

describe.each(EDITING.filter(({ name }) => existsSync(path.join(FOLDER, name))))('$name', (editing) => {
  it('shows its model the skill, and the likely fix after an edit', async () => {
    const { body, printed } = await edited(editing);
    expect(body, printed).toContain('Works on Common Lisp, ACL2 and Clojure');
    expect(body, printed).toContain('Likely fix: add `)` at the end of line 2.');
  });
});

async function edited({ name, call, words }: Editing): Promise<{ body: string; printed: string }> {
  const own = temporaryFolder(`agent-${name}`);
  const [home, work, bin] = [path.join(own, 'home'), path.join(own, 'work'), path.join(own, 'bin')];
  for (const each of [home, work, bin]) mkdirSync(each);
  writeFileSync(path.join(bin, 'node'), NODE, { mode: 0o700 });
  const model = await ScriptedModel.start([call(path.join(work, 'a.lisp'))]);
  try {
    const program = PROGRAMS.find((each) => each.name === name);
    if (program === undefined) throw new Error(`no program ${name}`);
    const server = { command: 'true', args: [], env: {} };
    const run = program.prepare({ folder: path.join(FOLDER, name), home, work, model: model.url, server });
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, ...run.env };
    const launcher = [path.join(ROOT, 'resources/setup/lisp-harbor.mjs'), 'agent', 'install', name];
    const installing = spawnSync(path.join(bin, 'node'), [...launcher, '--data', path.join(own, 'data')], {
      env,
    });
    expect(installing.status, installing.stderr.toString()).toBe(0);
    const [file, ...args] = run.command;
    const child = spawn(file, [...args, ...words], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { body: model.body, printed: out + errors };
  } finally {
    await model.stop();
  }
}
