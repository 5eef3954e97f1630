/** An Electron binary that is here and can be loaded, with all that this takes. */
import { installPackages } from './apt.mjs';
import { ensureElectron } from './electron.mjs';
import { electronRuns } from './electron-check.mjs';
import { SetupError } from './setup-error.mjs';
import { rowsOf } from './system-packages.mjs';

/**
 * Fetches the binary and installs the libraries that it lacks. Throws a SetupError that says what is missing.
 * @param {string} root
 * @returns {Promise<string>} the binary
 */
export async function readyElectron(root) {
  const binary = await ensureElectron(root);
  await installPackages(await lackingLibraries(root, binary));
  await confirmRuns(root, binary);
  return binary;
}

/**
 * The rows of the shared libraries that a binary asks for and the system does not have.
 * @param {string} root
 * @param {string} binary
 */
export async function lackingLibraries(root, binary) {
  const check = await electronRuns(root, binary);
  return check.ok ? [] : rowsOf(check.libraries);
}

/**
 * @param {string} root
 * @param {string} binary
 */
export async function confirmRuns(root, binary) {
  const check = await electronRuns(root, binary);
  if (!check.ok)
    throw new SetupError(`Electron (${binary}) cannot be loaded on this system. ${check.reason}`);
}
