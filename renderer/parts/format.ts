/** Texts and paths as people read them. Pure. Durations, times and sizes are in electron/words/formats.ts. */

/** Shortens a path in the middle to `limit` characters at most, keeping its last part whole where it can be. */
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

/** A file as it is called in its project. */
export function nameInProject(path: string, project: string): string {
  const inside = path.startsWith(project) && /^[\\/]/.test(path.slice(project.length));
  return inside ? path.slice(project.length + 1) : path;
}

/** A symbol's name without its package; a keyword and what is between bars stay as they are. */
export function bareName(name: string): string {
  return name.replace(/^[^:|#]+::?/, '');
}

/** The first line of a text, with a mark when there is more. */
export function firstLine(text: string): string {
  const trimmed = text.trim();
  const end = trimmed.indexOf('\n');
  return end < 0 ? trimmed : `${trimmed.slice(0, end).trimEnd()} …`;
}

/** The text with every run of white space as one space. */
export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Characters that fit on two lines beside a REPL. */
const COMPACT_MESSAGE = 120;

/** A condition's message: on one line where the engine has broken a short one, as SBCL does around each value. */
export function compactMessage(message: string): string {
  const line = oneLine(message);
  return line.length <= COMPACT_MESSAGE && !/\n\s*\n/.test(message.trim()) ? line : message;
}

/** What engines are called where there is room for a name. */
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
  lisply: 'Lisply',
  nbb: 'nbb',
};

/** A condition's message beside its type, with which a prover begins it. */
export function besideType(message: string, type: string): string {
  return message.startsWith(`${type} `) ? message.slice(type.length).trimStart() : message;
}
