/**
 * `npm run outdated`: lists npm packages that have a newer version or a known vulnerability, with the reasons
 * for which some stay behind. Run it once a week. It ends with 1 if a package has no reason.
 */
import { root } from './checkout.mjs';
import { npm } from './child-process.mjs';
import { endWith, SetupError } from './console.mjs';

/** Packages that stay at their version. @type {Record<string, string>} */
const REASONS = {
  '@types/node': 'the types of the Node in Electron',
  'conformance-2025': 'the suite of the protocol version 2025',
  'conformance-2026': 'the suite of the protocol version 2026',
};

/**
 * @param {string[]} words
 * @returns {Promise<any>} what npm prints as JSON: it ends with 1 if it finds something
 * @throws SetupError if npm reports an error
 */
async function npmJson(words) {
  const { output } = await npm([...words, '--json'], root);
  const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1);
  /** @type {any} */
  const found = json === '' ? {} : JSON.parse(json);
  const message = found.error?.summary || found.message;
  if (message) throw new SetupError(`"npm ${words.join(' ')}" failed: ${message}`, 1);
  return found;
}

/**
 * @param {string} version
 * @param {string} other
 */
const isNewer = (version, other) => version.localeCompare(other, undefined, { numeric: true }) > 0;

/**
 * Prints a package.
 * @param {string} name
 * @param {string} fact
 * @returns {number} 1 if there is no reason for it
 */
function list(name, fact) {
  const reason = REASONS[name.split(':')[0] ?? name];
  process.stdout.write(`${name}: ${fact}${reason === undefined ? '' : ` (${reason})`}\n`);
  return reason === undefined ? 1 : 0;
}

await endWith(async () => {
  let open = 0;
  for (const [name, found] of Object.entries(await npmJson(['outdated']))) {
    const { current, latest } = [found].flat()[0];
    if (current !== undefined && isNewer(latest, current)) open += list(name, `${current}, newest ${latest}`);
  }
  const { vulnerabilities = {} } = await npmJson(['audit']);
  for (const [name, { severity }] of Object.entries(vulnerabilities))
    open += list(name, `${severity} vulnerability`);
  process.stdout.write(`${open} packages without a reason\n`);
  return open === 0 ? 0 : 1;
});
