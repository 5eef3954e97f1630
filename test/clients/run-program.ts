/** One run of a program that has a model behind it: with a home of its own, a scripted model and a started harbor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT, type StartedHarbor, temporaryFolder } from '../started-harbor';
import type { Shown } from './model-apis';
import type { Program } from './programs';
import { evalCall, ScriptedModel } from './scripted-model';

export interface ProgramRun {
  /** What the model was shown in the end. */
  shown: Shown;
  /** What the program printed, for a test that fails. */
  printed: string;
}

/**
 * @param folder in which npm has installed it
 * @param forms what its model evaluates, each in a call of its own
 * @param known whether it gives its own name, or one that nobody knows
 */
export async function runProgram(
  program: Program,
  folder: string,
  harbor: StartedHarbor,
  forms: readonly string[],
  known = true,
): Promise<ProgramRun> {
  const own = temporaryFolder(program.name);
  const [home, work, bin] = [path.join(own, 'home'), path.join(own, 'work'), path.join(own, 'bin')];
  for (const each of [home, work, bin]) mkdirSync(each);
  writeFileSync(path.join(bin, 'node'), NODE, { mode: 0o700 });
  const model = await ScriptedModel.start(forms.map(evalCall));
  try {
    const stdio = [
      path.join(ROOT, 'out/electron/stdio.js'),
      '--data',
      harbor.data,
      '--project',
      harbor.project,
    ];
    const server = {
      command: process.execPath,
      args: known ? stdio : [path.join(import.meta.dirname, 'as-somebody.mjs'), process.execPath, ...stdio],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    };
    const run = program.prepare({ folder, home, work, model: model.url, server });
    const [file, ...args] = run.command;
    // Nothing of who runs the tests reaches it, keys of real models above all.
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, ...run.env };
    const child = spawn(file, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { shown: model.shown, printed: out + errors };
  } finally {
    await model.stop();
    rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The Node of the tests, for programs and for what they start. */
export const NODE = `#!/bin/sh
export ELECTRON_RUN_AS_NODE=1 NODE_OPTIONS='--import=${path.join(ROOT, 'test/plain-arguments.ts')}'
exec '${process.execPath}' "$@"
`;
