/** What git says has changed. */
import { capture } from './child.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * The files that differ from a revision, or that git does not know yet; not those that are gone.
 * @param {string} root of the repository
 * @param {string} revision
 * @returns {Promise<string[]>} paths below the root, with slashes
 */
export async function changedFiles(root, revision) {
  const known = await git(root, [
    'diff',
    '--name-only',
    '--relative',
    '--diff-filter=d',
    '-z',
    revision,
    '--',
  ]);
  const unknown = await git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  return [...known, ...unknown];
}

/**
 * @param {string} root
 * @param {string[]} args
 */
async function git(root, args) {
  const { code, output } = await capture('git', args, { cwd: root });
  if (code !== 0) throw new SetupError(`"git ${args.join(' ')}" failed (exit ${code}).\n${output.trim()}`);
  return output.split('\0').filter((file) => file !== '');
}
