/** Two ways to run another program: to its end with its output kept, or in our place with our terminal and our signals. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import os from 'node:os';

/**
 * @typedef {{ code: number, output: string }} Ended `code` is 127 where the program could not be started
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal, shell?: boolean }} Options
 */

/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program without a terminal and keeps what it says, both streams in one.
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
 * `limit` is in milliseconds; the program is then ended the hard way, which is said. `log` is a file for what it says instead of
 * our own stdout and stderr.
 * @typedef {Options & { limit?: number, log?: string }} HandedOver
 */

/**
 * Runs a program in our place: it owns stdin, stdout and stderr, gets the signals that we get, and its exit code is ours.
 * A terminal and npm each send a signal to the whole group as well, so the program may see the same one more than once.
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
        `lisp-harbor: ${command} took more than ${(limit ?? 0) / 60_000} minutes and is ended\n`,
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
 * A shell's convention for a program that a signal ended: 128 and the signal's number.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function exitCode(code, signal) {
  if (code !== null) return code;
  return 128 + (signal === null ? 0 : os.constants.signals[signal]);
}
