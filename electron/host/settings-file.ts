/**
 * The settings file. All changes of settings are made here, and listeners are notified. Users may also edit
 * the file while the harbor runs: their edits are applied and never overwritten. A setting that cannot be
 * read never removes a restriction.
 */

import { EventEmitter } from 'node:events';
import {
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { asFailure, HarborError } from '../contract/errors';
import { RESTRICTING, Settings, type SettingsChange } from '../contract/settings';
import { fileState, setOwner } from './file-attributes';
import { likelyName } from './likely-name';
import { every } from './listeners';
import { JsonProblem, parseStrictJson, positionIn } from './strict-json';

/**
 * Interval in which the file is checked, in milliseconds. Watching its folder would cost more, because each
 * evaluation writes to the database there.
 */
const CHECK_INTERVAL_MS = 500;

/** Consequences of an unreadable file, for error messages. */
const NO_START = 'It may contain restrictions, so Lisp Harbor does not start';
const NO_CHANGE = 'Nothing was changed';

interface SettingsEvents {
  /** The settings changed. `names` are those of a change and those edited by hand. */
  changed: [settings: Settings, names: ReadonlySet<keyof Settings>];
  /** `problems` changed. */
  problems: [];
}

/** A change, or a function that computes it from the current settings. */
type WantedChange = SettingsChange | ((current: Settings) => SettingsChange);

export class SettingsFile extends EventEmitter<SettingsEvents> {
  readonly #file: string;
  #settings = Settings.parse({});
  /** Text of the file when it was last read or written; null if it did not exist. */
  #text: string | null = null;
  /** Why the whole file cannot be read. */
  #unreadable: string | null = null;
  #problems: readonly SettingProblem[] = [];
  #sentences: readonly string[] = [];
  /** Names the value that applies instead of an unreadable setting. */
  #instead = 'the default';
  #stopLooking: (() => void) | undefined;
  /** State of the file at the last check. */
  #figures = '';

  /**
   * Without a file the defaults apply.
   * @throws HarborError `config_unreadable` if an unreadable part may restrict something
   */
  constructor(file: string) {
    super();
    this.#file = file;
    this.#applyEdits(NO_START);
    const restricting = this.#problems.filter(({ restricts }) => restricts);
    if (restricting.length > 0)
      throw this.#refusal(restricting.map(({ message: reason }) => reason).join('; '), NO_START);
    this.#instead = 'the previous value';
  }

  get current(): Settings {
    return this.#settings;
  }

  /** Problems of the file for the user, one sentence each: what cannot be read, and what applies instead. */
  get problems(): readonly string[] {
    if (this.#unreadable !== null)
      return [`The settings file cannot be read (${this.#unreadable}). The previous settings apply.`];
    return this.#sentences;
  }

  /**
   * Changes the named settings only. Edits made by hand meanwhile are preserved.
   * @returns the current settings
   * @throws HarborError `config_unreadable` if the file or its value of these settings cannot be read; then
   *   nothing changes
   */
  change(wanted: WantedChange): Settings {
    return this.#notifying(() => {
      this.#applyEdits();
      const change = typeof wanted === 'function' ? wanted(this.#settings) : wanted;
      const inTheWay = this.#problems.find(({ name }) => name !== null && name in change);
      if (inTheWay) throw this.#refusal(inTheWay.message, NO_CHANGE);
      this.#write(Settings.parse({ ...this.#settings, ...change }));
      return change;
    });
  }

  /** Checks the file for edits twice a second until `close`. */
  watch(): void {
    this.#stopLooking = every(CHECK_INTERVAL_MS, () => this.#check());
  }

  close(): void {
    this.#stopLooking?.();
  }

  /**
   * Reads the file when it has not changed since the previous check, because editors write a file in several
   * steps.
   */
  #check(): void {
    const before = this.#figures;
    this.#figures = fileState(this.#file);
    if (this.#figures === before) this.#readEdits();
  }

  #readEdits(): void {
    this.#notifying(() => {
      try {
        this.#applyEdits();
      } catch (error) {
        // The error is part of `problems`.
        if (!(error instanceof HarborError)) throw error;
      }
      return {};
    });
  }

  /** Runs `work`, which returns the requested change, and notifies listeners of what changed. */
  #notifying(work: () => SettingsChange): Settings {
    const before = this.#settings;
    const problems = this.problems.join('\n');
    let change: SettingsChange = {};
    try {
      change = work();
    } finally {
      if (this.problems.join('\n') !== problems) this.emit('problems');
      if (this.#settings !== before)
        this.emit('changed', this.#settings, namesOf(change, before, this.#settings));
    }
    return this.#settings;
  }

  /**
   * Applies edits made by hand. An unreadable setting keeps its value, and a deleted file changes nothing.
   * @throws HarborError `config_unreadable`
   */
  #applyEdits(otherwise = NO_CHANGE): void {
    try {
      const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : null;
      if (text !== null && text !== this.#text) this.#read(text);
      this.#unreadable = null;
    } catch (error) {
      this.#unreadable = asFailure(error).message;
      throw this.#refusal(this.#unreadable, otherwise);
    }
  }

  #read(text: string): void {
    const { given, problems } = settingsIn(text);
    const names = problems.flatMap(({ name }) => (name === null ? [] : [name]));
    const before = Object.fromEntries(names.map((name) => [name, this.#settings[name]]));
    this.#settings = Settings.parse({ ...before, ...given });
    this.#text = text;
    this.#problems = problems;
    this.#sentences = problems.map(({ name, message: reason }) =>
      sentence(reason, name === null ? null : this.#instead),
    );
  }

  #refusal(why: string, therefore: string): HarborError {
    return new HarborError(
      'config_unreadable',
      `The settings file ${this.#file} cannot be read: ${why}. ${therefore}, and the file was left as it is. Correct it and try again.`,
    );
  }

  /** Writes the file atomically and backs up the previous one. */
  #write(settings: Settings): void {
    const text = textOf(settings, this.#text);
    if (existsSync(this.#file)) put(`${this.#file}.bak`, this.#file, readFileSync(this.#file));
    put(this.#file, this.#file, text);
    this.#read(text);
    this.#settings = settings;
  }
}

/** Writes a file next to the settings atomically, with the same owner. */
function put(file: string, settings: string, content: string | Buffer): void {
  const owner = statSync(existsSync(settings) ? settings : path.dirname(settings));
  const draft = `${settings}.draft`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content);
    setOwner(owner, { chown: (uid, gid) => fchownSync(descriptor, uid, gid) });
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}

function sentence(reason: string, instead: string | null): string {
  return `In the settings file, ${reason}; ${instead === null ? 'it is ignored' : `${instead} applies`}.`;
}

/** Returns the names in a change, whatever their values, and those of settings that differ from before. */
function namesOf(change: SettingsChange, before: Settings, now: Settings): Set<keyof Settings> {
  const names = Object.keys(Settings.shape) as (keyof Settings)[];
  return new Set(names.filter((name) => name in change || !isDeepStrictEqual(before[name], now[name])));
}

/**
 * The text of the settings file. It is parsed strictly and key by key, so that an error is reported with its
 * position and affects no other setting. Pure.
 */
type SettingName = keyof Settings;

/** An invalid part of the file. */
interface SettingProblem {
  /** The intended setting; null for an unknown name that resembles no restricting setting. */
  name: SettingName | null;
  /** Whether the setting could restrict something. */
  restricts: boolean;
  /** Position and error: `line 3, column 5: port: …` */
  message: string;
}

interface ReadSettings {
  /** The valid settings by name. */
  given: Readonly<Record<string, unknown>>;
  problems: readonly SettingProblem[];
}

const NAMES: readonly string[] = Object.keys(Settings.shape);

/** @throws Error with line and column of the error, if the text has no readable settings */
export function settingsIn(text: string): ReadSettings {
  try {
    return parsed(text);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new Error(`${positionIn(text, error.offset)}: ${error.message}`);
  }
}

/** @param before the text to replace; its unknown and unreadable members are preserved */
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
    else problems.push({ ...problem, message: `${positionIn(text, problem.offset)}: ${problem.message}` });
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
  const reason = `${whole.join('.')}: ${message}`;
  return { name, restricts: RESTRICTING[name], message: reason, offset: offsetOf(whole, root) };
}

/** Returns the problem of an unknown name, which may mean a restricting setting that is absent. */
function wrongName(written: string, all: readonly string[], root: Node): Found {
  const likely = likelyName(written, NAMES);
  const intended = likely !== null && isSetting(likely) && RESTRICTING[likely] && !all.includes(likely);
  const offset = findNodeAtLocation(root, [written])?.parent?.offset ?? root.offset;
  const reason = `there is no setting "${written}"${guess(likely)}`;
  return { name: intended ? likely : null, restricts: intended, message: reason, offset };
}

function guess(likely: string | null): string {
  return likely === null ? '' : ` (did you mean "${likely}"?)`;
}

/** Reports an unknown member inside a setting. It may be a misspelled restriction. */
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

/** Refuses duplicate members, of which only the last would be read and written again. */
function refuseTwice(node: Node): void {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = child.type === 'property' ? child.children?.[0] : undefined;
    if (name && names.has(name.value))
      throw new JsonProblem(`"${String(name.value)}" occurs twice`, name.offset);
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

/** Returns the offset of the path’s value, or of the nearest one. */
function offsetOf(path: readonly PropertyKey[], root: Node): number {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)));
  const node = findNodeAtLocation(root, steps);
  return node?.offset ?? offsetOf(path.slice(0, -1), root);
}
