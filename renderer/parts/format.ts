/** Formats texts and paths for display. Durations, times and sizes are in electron/words/formats.ts. */

/** Shortens a path in the middle to at most `limit` characters. Keeps the last component if possible. */
export function shortenPath(path: string, limit: number): string {
  if (path.length <= limit) return path;
  const separator = path.includes('\\') ? '\\' : '/';
  const last = path.slice(path.lastIndexOf(separator));
  const room = limit - last.length - 1;
  if (room < 1) return `…${path.slice(1 - limit)}`;
  const start = path.slice(0, room);
  const cut = start.lastIndexOf(separator) + 1;
  return `${cut > 1 ? start.slice(0, cut) : start}…${last}`;
}

/** Returns the path of a file relative to its project. */
export function nameInProject(path: string, project: string): string {
  const inside = path.startsWith(project) && /^[\\/]/.test(path.slice(project.length));
  return inside ? path.slice(project.length + 1) : path;
}

/** Returns the name of a symbol without its package. Keywords and names in bars stay unchanged. */
export function bareName(name: string): string {
  return name.replace(/^[^:|#]+::?/, '');
}

/** Returns the first line of a text, with a mark if there are more. */
export function firstLine(text: string): string {
  const trimmed = text.trim();
  const end = trimmed.indexOf('\n');
  return end < 0 ? trimmed : `${trimmed.slice(0, end).trimEnd()} …`;
}

/** Returns the text with each run of white space replaced by one space. */
export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Maximum number of characters of a message that is joined to one line. */
const COMPACT_MESSAGE = 120;

/** Returns a condition message, on one line if it is short and the engine broke it, as SBCL does. */
export function compactMessage(message: string): string {
  const line = oneLine(message);
  return line.length <= COMPACT_MESSAGE && !/\n\s*\n/.test(message.trim()) ? line : message;
}

/** Returns the display name of an engine. */
export function engineTitle(engine: string): string {
  return ENGINE_TITLES[engine] ?? engine;
}

const ENGINE_TITLES: Readonly<Record<string, string>> = {
  sbcl: 'SBCL',
  ecl: 'ECL',
  abcl: 'ABCL',
  ccl: 'CCL',
  acl2: 'ACL2',
  clojure: 'Clojure',
  nrepl: 'nREPL',
  swank: 'Swank',
  slynk: 'Slynk',
  lisply: 'Lisply',
  nbb: 'nbb',
};

/** Returns a condition message without the condition type with which provers begin it. */
export function withoutType(message: string, type: string): string {
  return message.startsWith(`${type} `) ? message.slice(type.length).trimStart() : message;
}

/** Splits trust tag names that are separated by commas or spaces. */
export function tagNames(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((name) => name !== '');
}
