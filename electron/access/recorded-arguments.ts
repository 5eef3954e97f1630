/** A call's arguments as the history keeps them: JSON, without secrets and not without end. */

const SECRET_KEY = /token|secret|password|authorization/i;
const HIDDEN = '(not recorded)';
/** Longest JSON of one row, in characters. */
const LONGEST = 64 * 1024;

/** What is too long becomes `{"cut": "<its beginning>"}`, so that the column always holds JSON.
 * @param args whatever a client sent, as parsed from JSON */
export function recordedArguments(args: unknown): string {
  const json = JSON.stringify(args ?? null, (key, value) => (SECRET_KEY.test(key) ? HIDDEN : value));
  if (json.length <= LONGEST) return json;
  // Quoted again, each character takes two at most.
  return JSON.stringify({ cut: json.slice(0, LONGEST / 2 - 16).toWellFormed() });
}
