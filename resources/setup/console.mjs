/**
 * Messages and errors of the setup scripts. Always on stderr, because stdout is for the ready line and
 * protocols.
 */

/** @param {string} text a sentence for the user */
export function say(text) {
  process.stderr.write(`lisp-harbor: ${text}\n`);
}

/** @param {number} milliseconds */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;

/** Milliseconds between progress reports: one line that is drawn again in a terminal, else a new line. */
const REPORTED = { terminal: 500, lines: 5_000 };

/**
 * Shows progress of `work`: a line with a timer in a terminal, otherwise a line every few seconds.
 * Work fails by throwing.
 * @template T
 * @param {string} label such as "installing the npm packages"
 * @param {(note: (text: string) => void) => Promise<T>} work may call `note` with its progress
 * @returns {Promise<T>}
 */
export async function during(label, work) {
  const began = Date.now();
  const live = process.stderr.isTTY;
  let noted = '';
  const progress = () => `${label} … ${seconds(Date.now() - began)}${noted}`;
  const draw = () => process.stderr.write(`\r\x1b[Klisp-harbor: ${progress()}`);
  const ticking = live
    ? setInterval(draw, REPORTED.terminal)
    : setInterval(() => say(progress()), REPORTED.lines);
  if (live) draw();
  else say(`${label} …`);
  let outcome = 'failed';
  try {
    const result = await work((text) => {
      noted = `, ${text}`;
    });
    outcome = 'done';
    return result;
  } finally {
    clearInterval(ticking);
    if (live) process.stderr.write('\r\x1b[K');
    say(`${label}: ${outcome} in ${seconds(Date.now() - began)}`);
  }
}

/**
 * A failure that the user can act on. `exitCode` is 2 if something is missing or misused, 1 if an attempt
 * failed.
 */
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
 * Runs an entry and sets the exit code. A SetupError is printed without a stack.
 * @param {() => Promise<number | undefined>} entry returns undefined if it does not determine the exit code
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
