/** Runs the npm that runs us. */
import { capture, handOver } from './child.mjs';

/**
 * Runs npm to its end and keeps what it says.
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  const { command, before, shell } = npmCommand();
  // A silent run (`npm run -s`) reaches children through the environment; a failure must still say why.
  return capture(command, [...before, ...args, '--loglevel=warn', '--no-progress'], { cwd, shell });
}

/**
 * Runs a script of package.json on our terminal.
 * @param {string} name
 * @param {string} cwd
 * @returns {Promise<number>} its exit code
 */
export function npmScript(name, cwd) {
  const { command, before, shell } = npmCommand();
  return handOver(command, [...before, 'run', '--silent', name], { cwd, shell });
}

/** `npm_execpath` names the npm whose script we are; run by hand, or by another package manager, npm comes from the path. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js')) return { command: process.execPath, before: [script], shell: false };
  return { command: 'npm', before: [], shell: process.platform === 'win32' };
}
