/** Installs Debian packages where that may be done, and says the command to type where it may not. */
import { existsSync, readdirSync } from 'node:fs';
import { capture } from './child.mjs';
import { during, say } from './progress.mjs';
import { SetupError } from './setup-error.mjs';
import { onPath } from './system-packages.mjs';

/** @typedef {import('./system-packages.mjs').Row} Row */

const lists = '/var/lib/apt/lists';

/**
 * Installs what the rows ask for. Throws a SetupError with the command to type where we are not root, or where this is no
 * Debian or Ubuntu.
 * @param {Row[]} rows
 */
export async function installPackages(rows) {
  if (rows.length === 0) return;
  if (!onPath('apt-get')) throw new SetupError(`Missing on this system: ${listed(rows)}.`);
  const root = process.getuid?.() === 0;
  if (root && !hasLists()) await during('apt-get update', () => apt(['update']));
  const names = await chooseNames(rows);
  if (!root)
    throw new SetupError(`Missing on this system: ${listed(rows)}. To install:\n${commandLine(names)}`);
  say(`installing Debian packages: ${names.join(' ')}`);
  await during('apt-get install', () => install(names));
}

/** @param {string[]} names */
async function install(names) {
  const args = ['install', '--yes', '--no-install-recommends', ...names];
  const { code } = await capture('apt-get', args, { env: quiet() });
  // Lists that are weeks old name files that the mirror no longer has.
  if (code === 0) return;
  await apt(['update']);
  await apt(args);
}

/** @param {string[]} args */
async function apt(args) {
  const { code, output } = await capture('apt-get', args, { env: quiet() });
  if (code === 0) return;
  throw new SetupError(`"apt-get ${args.join(' ')}" failed (exit ${code}).\n${output.trim()}`, 1);
}

/**
 * One package a row: the first name that this release offers, else the last one, so that apt itself says that it has none.
 * @param {Row[]} rows
 */
async function chooseNames(rows) {
  const { output } = await capture('apt-cache', ['policy', ...rows.flatMap((row) => row.packages)], {
    env: quiet(),
  });
  const names = rows.map(
    (row) => row.packages.find((name) => offered(output, name)) ?? row.packages.at(-1) ?? '',
  );
  return [...new Set(names)];
}

/**
 * A name that only others provide shows up too, with the candidate "(none)".
 * @param {string} policy what `apt-cache policy` prints
 * @param {string} name
 */
export function offered(policy, name) {
  const lines = policy.split('\n');
  const at = lines.indexOf(`${name}:`);
  if (at < 0) return false;
  const candidate = lines.slice(at + 1, at + 3).find((line) => line.includes('Candidate:'));
  return candidate !== undefined && !candidate.includes('(none)');
}

/** @param {string[]} names */
const commandLine = (names) => `  sudo apt-get install --no-install-recommends ${names.join(' ')}`;

/** @param {Row[]} rows */
const listed = (rows) => rows.map((row) => `${row.brings} (${row.neededBy})`).join(', ');

/** A fresh container has no lists at all, and then apt knows no package. */
const hasLists = () => existsSync(lists) && readdirSync(lists).some((name) => name.includes('_Packages'));

/** No questions, and messages in the language that we read. */
const quiet = () => ({ ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' });
