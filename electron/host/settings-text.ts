/** The text of the settings file: read strictly, so that what is wrong is told with its place, and written whole. Pure. */
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { Settings } from '../contract/settings';
import { JsonProblem, parseStrictJson, placeIn } from './strict-json';

/** @throws Error whose message says in which line and column the text is wrong, and why */
export function settingsIn(text: string): Settings {
  try {
    return parsed(text);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new Error(`${placeIn(text, error.offset)}: ${error.message}`);
  }
}

/** @param before the text that is replaced: settings in it that this version does not know stay */
export function textOf(settings: Settings, before: string | null): string {
  const known = Object.keys(Settings.shape);
  const others = Object.entries(before === null ? {} : (JSON.parse(before) as object)).filter(
    ([name]) => !known.includes(name),
  );
  return `${JSON.stringify({ ...settings, ...Object.fromEntries(others) }, null, 2)}\n`;
}

function parsed(text: string): Settings {
  const root = parseStrictJson(text);
  if (!root) throw new JsonProblem('the file is empty', 0);
  const result = Settings.safeParse(JSON.parse(text));
  if (result.success) return result.data;
  const { path = [], message = '' } = result.error.issues[0] ?? {};
  const named = path.length === 0 ? '' : `${path.join('.')}: `;
  throw new JsonProblem(named + message, offsetOf(path, root));
}

/** Of what the path leads to, or of what is nearest to that. */
function offsetOf(path: readonly PropertyKey[], root: Node): number {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)));
  const node = findNodeAtLocation(root, steps);
  return node?.offset ?? offsetOf(path.slice(0, -1), root);
}
