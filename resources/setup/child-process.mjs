/**
 * Runs other programs: to the end with captured output, or in place of this process with its terminal and
 * signals.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import os from 'node:os';

/**
 * @typedef {{ code: number, output: string }} Ended `code` is 127 if the program could not be started
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal, shell?: boolean }} Options
 */

/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program without a terminal and captures stdout and stderr together.
 * @param {string} command
 * @param {string[]} args
 * @param {Options} [options] `signal` ends the program early
 * @returns {Promise<Ended>}
 */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    /** @type {Buffer[]} */
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code, signal) => {
      resolve({ code: exitCode(code, signal), output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

/**
 * `limit` is a timeout in milliseconds, after which the program is killed with a message. `log` is a file for
 * its output instead of this process's stdout and stderr.
 * @typedef {Options & { limit?: number, log?: string }} HandedOver
 */

/**
 * Runs a program in place of this process: it gets stdin, stdout, stderr and the signals. A terminal and npm
 * also signal the whole process group, so the program may get a signal more than once.
 * @param {string} command
 * @param {string[]} args
 * @param {HandedOver} [options]
 * @returns {Promise<number>} its exit code
 */
export function handOver(command, args, { limit, log, ...options } = {}) {
  const file = log === undefined ? undefined : openSync(log, 'a');
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...options,
      stdio: file === undefined ? 'inherit' : ['ignore', file, file],
    });
    const endIt = () => {
      process.stderr.write(
        `lisp-harbor: ${command} took more than ${(limit ?? 0) / 60_000} minutes and was killed\n`,
      );
      child.kill('SIGKILL');
    };
    const limiting = limit === undefined ? undefined : setTimeout(endIt, limit);
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => child.kill(signal);
    /** @param {number} code */
    const end = (code) => {
      clearTimeout(limiting);
      for (const signal of forwarded) process.off(signal, forward);
      if (file !== undefined) closeSync(file);
      resolve(code);
    };
    for (const signal of forwarded) process.on(signal, forward);
    child.on('error', (error) => {
      process.stderr.write(`lisp-harbor: ${command} could not be started: ${error.message}\n`);
      end(127);
    });
    child.on('close', (code, signal) => end(exitCode(code, signal)));
  });
}

/**
 * Returns the exit code. For a program that a signal ended it is 128 plus the number of the signal, as in a
 * shell.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function exitCode(code, signal) {
  if (code !== null) return code;
  return 128 + (signal === null ? 0 : os.constants.signals[signal]);
}

/**
 * Runs npm to the end and captures its output.
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  const { command, before, shell } = npmCommand();
  // `npm run -s` passes its silence to children in the environment, but a failure must be reported.
  return capture(command, [...before, ...args, '--loglevel=warn', '--no-progress'], { cwd, shell });
}

/**
 * Runs a script of package.json in this terminal.
 * @param {string} name
 * @param {string} cwd
 * @param {{ log?: string }} [way] `log`: a file for its output
 * @returns {Promise<number>} its exit code
 */
export function npmScript(name, cwd, way = {}) {
  const { command, before, shell } = npmCommand();
  return handOver(command, [...before, 'run', '--silent', name], { ...way, cwd, shell });
}

/** Returns the npm that runs this script (`npm_execpath`), or the one in the path. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js')) return { command: process.execPath, before: [script], shell: false };
  return { command: 'npm', before: [], shell: process.platform === 'win32' };
}
