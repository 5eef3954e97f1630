/** Failures that a person can act on, and how an entry of the set-up ends with them. */

/** Its message says what to do; `exitCode` is 2 where something is missing or misused, 1 where an attempt failed. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 2) {
    super(message);
    this.name = 'SetupError';
    this.exitCode = exitCode;
  }
}

/**
 * Runs an entry to its exit code. A SetupError is told without a stack: its message is meant for whoever typed the command.
 * @param {() => Promise<number | undefined>} entry answers undefined where the exit code is not its to decide
 */
export async function endWith(entry) {
  try {
    const code = await entry();
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`lisp-harbor: ${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}
