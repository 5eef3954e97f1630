/** Shows an act to the user before it is approved: every accepted argument, in one form for all tools. Pure. */
import type { Act, FileDiff, FileText, ShownPart } from '../contract/approvals';
import { fingerprint } from '../host/json';

/** A string, number, boolean or null in the arguments, with its path, such as `edits[0].content`. */
interface Leaf {
  name: string;
  value: string;
}

/** Longer values are shown as a text of their own. */
const LONGEST_VALUE = 120;
const LOOKS_LIKE_CODE = /\n|^\s*[([{'`#@;^]/;

/**
 * @param diffs what the call would change in files. An argument whose lines a diff shows is not repeated.
 * @param sources files that it may run
 */
export function partsOf(
  { call, code }: Pick<Act, 'call' | 'code'>,
  diffs: readonly FileDiff[] = [],
  sources: readonly FileText[] = [],
): ShownPart[] {
  const leaves = leavesIn(call?.args ?? {});
  const isContained = code === undefined || leaves.some(({ value }) => value.trim() === code.trim());
  const all = isContained ? leaves : [...leaves, { name: '', value: code }];
  const inDiffs = new Set(diffs.flatMap(({ diff }) => diff.split('\n').map((line) => line.slice(1))));
  const isInDiff = ({ value }: Leaf) =>
    diffs.length > 0 && value.split('\n').every((line) => inDiffs.has(line));
  const [codes, values] = [all.filter(isCode), all.filter((leaf) => !isCode(leaf))];
  return [
    ...diffs.map((diff) => ({ kind: 'diff' as const, ...diff })),
    ...codes
      .filter((leaf) => !isInDiff(leaf))
      .map(({ name, value }) => ({ kind: 'code' as const, name, code: value })),
    ...sources.map(({ file, text }) => ({ kind: 'code' as const, name: file, code: text })),
    ...(values.length === 0 ? [] : [{ kind: 'values' as const, values }]),
  ];
}

/** Returns the hash that a reply repeats. */
export function digestOf({ tool, parts }: { tool: string; parts: readonly ShownPart[] }): string {
  return fingerprint({ tool, parts });
}

function isCode({ name, value }: Leaf): boolean {
  return name === '' || value.length > LONGEST_VALUE || LOOKS_LIKE_CODE.test(value);
}

function leavesIn(value: unknown, name = ''): Leaf[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [{ name, value: String(value) }];
  const members = Array.isArray(value)
    ? value.map((each, index): [string, unknown] => [`${name}[${index}]`, each])
    : Object.entries(value).map(([key, each]): [string, unknown] => [
        name === '' ? key : `${name}.${key}`,
        each,
      ]);
  if (members.length === 0 && name !== '') return [{ name, value: Array.isArray(value) ? '[]' : '{}' }];
  return members.flatMap(([key, each]) => leavesIn(each, key));
}
