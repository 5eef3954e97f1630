/** Durations, times, sizes and paths as people read them. Pure; every time is in milliseconds. */

import type { Cost } from '../../electron/contract/cost';
import type { Limits } from '../../electron/contract/memory';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something took: `<1 ms`, `12 ms`, `3.4 s`, `2 m 05 s`, `1 h 04 m`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / SECOND).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`;
}

/** How old something is, in its largest unit: `now`, `12 s`, `4 m`, `1 h`, `3 d`. */
export function formatAge(ms: number): string {
  if (ms < 5 * SECOND) return 'now';
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** `just now`, `4 m ago`; after two weeks the date. */
export function formatRelative(at: number, now: number): string {
  const age = now - at;
  if (age < 5 * SECOND) return 'just now';
  if (age < 14 * DAY) return `${formatAge(age)} ago`;
  return new Date(at).toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** The exact time, for a tooltip. */
export function formatExact(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** `22 MB`, `1.4 GB`: decimal units, as the systems' own monitors show them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** `1.2 s (CPU 1.1 s, GC 40 ms), 22 MB allocated`; a part without any is left out. */
export function formatCost({ realMs, runMs, gcMs, bytes }: Cost): string {
  const parts = [`CPU ${formatDuration(runMs)}`, ...(gcMs > 0 ? [`GC ${formatDuration(gcMs)}`] : [])];
  return `${formatDuration(realMs)} (${parts.join(', ')}), ${formatBytes(bytes)} allocated`;
}

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact' });

/** The limits of a session that has any: `heap 2048 MiB`, `10 s CPU`, `output 4.2M characters`. */
export function limitTexts({ heapMiB, cpuSeconds, outputChars }: Limits): string[] {
  return [
    ...(heapMiB === null ? [] : [`heap ${heapMiB} MiB`]),
    ...(cpuSeconds === null ? [] : [`${cpuSeconds} s CPU`]),
    ...(outputChars === null ? [] : [`output ${COMPACT.format(outputChars)} characters`]),
  ];
}

/** `1 session`, `3 sessions`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

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

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
