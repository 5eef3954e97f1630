/**
 * The text of the settings file: read strictly and key by key, so that what is wrong is told with its place and costs no
 * other setting, and written whole. Pure.
 */
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { RESTRICTS, Settings } from '../contract/settings';
import { likelyName } from './likely-name';
import { JsonProblem, parseStrictJson, placeIn } from './strict-json';

export type SettingName = keyof Settings;

/** Something in the file that says nothing. */
export interface SettingProblem {
  /** What it was to set; null for a name that there is not and that is like none that restricts. */
  name: SettingName | null;
  /** Whether something might be open that it closes. */
  restricts: boolean;
  /** `line 3, column 5: port: …` */
  told: string;
}

export interface ReadSettings {
  /** By their names, those that the file gives and that can be read. */
  given: Readonly<Record<string, unknown>>;
  problems: readonly SettingProblem[];
}

const NAMES: readonly string[] = Object.keys(Settings.shape);

/** @throws Error whose message says in which line and column the text is wrong, when no setting can be told from it */
export function settingsIn(text: string): ReadSettings {
  try {
    return parsed(text);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new Error(`${placeIn(text, error.offset)}: ${error.message}`);
  }
}

/** @param before the text that is replaced: what in it is unknown to this version, or cannot be read, stays */
export function textOf(settings: Settings, before: string | null): string {
  const given = before === null ? {} : settingsIn(before).given;
  const others = Object.entries(before === null ? {} : (JSON.parse(before) as object)).filter(
    ([name]) => !Object.hasOwn(given, name),
  );
  return `${JSON.stringify({ ...settings, ...Object.fromEntries(others) }, null, 2)}\n`;
}

function parsed(text: string): ReadSettings {
  const root = parseStrictJson(text);
  if (!root) throw new JsonProblem('the file is empty', 0);
  if (root.type !== 'object') throw new JsonProblem('an object in braces is expected', root.offset);
  refuseTwice(root);
  const given: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  const written = Object.entries(JSON.parse(text) as object);
  const names = written.map(([name]) => name);
  for (const [name, value] of written) {
    const problem = isSetting(name) ? wrongValue(name, value, root) : wrongName(name, names, root);
    if (problem === null) given[name] = value;
    else problems.push({ ...problem, told: `${placeIn(text, problem.offset)}: ${problem.told}` });
  }
  return { given, problems };
}

type Found = SettingProblem & { offset: number };

function wrongValue(name: SettingName, value: unknown, root: Node): Found | null {
  const result = Settings.shape[name].safeParse(value);
  const stray = result.success ? strayIn(value, result.data) : null;
  if (result.success && stray === null) return null;
  const { path = [], message = '' } = stray ?? result.error?.issues[0] ?? {};
  const whole = [name, ...path];
  const told = `${whole.join('.')}: ${message}`;
  return { name, restricts: RESTRICTS[name], told, offset: offsetOf(whole, root) };
}

/** One that is like a setting which restricts, and is not there by its own name, was to be that. */
function wrongName(written: string, all: readonly string[], root: Node): Found {
  const likely = likelyName(written, NAMES);
  const meant = likely !== null && isSetting(likely) && RESTRICTS[likely] && !all.includes(likely);
  const offset = findNodeAtLocation(root, [written])?.parent?.offset ?? root.offset;
  const told = `there is no setting "${written}"${guess(likely)}`;
  return { name: meant ? likely : null, restricts: meant, told, offset };
}

function guess(likely: string | null): string {
  return likely === null ? '' : ` (is "${likely}" meant?)`;
}

/** A member inside a setting that its schema passes over: it may be what restricts an entry, written wrongly. */
function strayIn(value: unknown, read: unknown): { path: PropertyKey[]; message: string } | null {
  if (!isObject(value) || !isObject(read)) return null;
  for (const [name, inner] of Object.entries(value)) {
    const key = Array.isArray(value) ? Number(name) : name;
    if (!Object.hasOwn(read, name)) {
      return {
        path: [key],
        message: `there is no "${name}" here${guess(likelyName(name, Object.keys(read)))}`,
      };
    }
    const stray = strayIn(inner, Reflect.get(read, name));
    if (stray) return { ...stray, path: [key, ...stray.path] };
  }
  return null;
}

/** Of two members of one name only the last would count, and only that would be written again. */
function refuseTwice(node: Node): void {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = child.type === 'property' ? child.children?.[0] : undefined;
    if (name && names.has(name.value))
      throw new JsonProblem(`"${String(name.value)}" is there twice`, name.offset);
    if (name) names.add(name.value);
    refuseTwice(child);
  }
}

function isSetting(name: string): name is SettingName {
  return NAMES.includes(name);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Of what the path leads to, or of what is nearest to that. */
function offsetOf(path: readonly PropertyKey[], root: Node): number {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)));
  const node = findNodeAtLocation(root, steps);
  return node?.offset ?? offsetOf(path.slice(0, -1), root);
}
