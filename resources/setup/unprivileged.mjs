/** Runs a program as a user who is nobody on this machine: what sandboxes hold, they hold for whoever runs them. */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A number that no user has, as far as anybody knows. */
const NOBODY = 47110;

const become = ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups'];

/**
 * @typedef {{ command: string[], env: NodeJS.ProcessEnv, folder: string, end: () => void }} Unprivileged `command` stands before a
 *   program and its arguments; `folder` is all that the user has, until the `end`
 */

/** @returns {Unprivileged} */
export function unprivileged() {
  // Short, because the paths of unix sockets below it are.
  const folder = mkdtempSync(path.join(tmpdir(), 'nobody-'));
  chownSync(folder, NOBODY, NOBODY);
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('XDG_'));
  return {
    command: ['setpriv', ...become],
    env: { ...Object.fromEntries(inherited), HOME: folder, TMPDIR: folder },
    folder,
    // A program that was told to end may write for a moment still.
    end: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}

/**
 * @param {string} root of the repository
 * @returns {string | undefined} why nobody else can run tests there
 */
export function whyNoOther(root) {
  if (process.getuid?.() !== 0)
    return 'not run: only root can become another user, and who is not root is unprivileged';
  const { status } = spawnSync('setpriv', [...become, 'test', '-r', path.join(root, 'package.json')]);
  return status === 0 ? undefined : `not run: other users cannot read ${root}`;
}
