/** What the set-up tells while it works. Always on stderr: stdout belongs to the ready line and to protocols. */

/** @param {string} text a sentence for the person at the terminal */
export function say(text) {
  process.stderr.write(`lisp-harbor: ${text}\n`);
}

/** @param {number} milliseconds */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;

/**
 * Shows that `work` is under way: a line that counts on a terminal, one line at its start and one at its end in a log. Work has
 * failed when it throws.
 * @template T
 * @param {string} label what is being done, as in "installing the npm packages"
 * @param {(note: (text: string) => void) => Promise<T>} work may pass `note` a word on how far it is
 * @returns {Promise<T>}
 */
export async function during(label, work) {
  const began = Date.now();
  const live = process.stderr.isTTY;
  let noted = '';
  const draw = () =>
    process.stderr.write(`\r\x1b[Klisp-harbor: ${label} … ${seconds(Date.now() - began)}${noted}`);
  const ticking = live ? setInterval(draw, 500) : undefined;
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
