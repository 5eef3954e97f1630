/**
 * The settings file and its one owner: whoever changes a setting does it here, and whoever must know of it listens. People
 * edit the file too, also while the harbor runs: what they write is taken over, and never overwritten. What cannot be read
 * opens nothing.
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
import { asFailure, HarborError } from '../contract/errors';
import { Settings, type SettingsChange } from '../contract/settings';
import { figuresOf } from './file-figures';
import { giveTo } from './file-owner';
import { type SettingProblem, settingsIn, textOf } from './settings-text';

/** Milliseconds between two looks at the file. To watch its folder would cost more: each evaluation writes to the database there. */
const LOOK_MS = 500;

/** What follows from what cannot be read. */
const NO_START = 'What it restricts would be open, so Lisp Harbor does not start';
const NO_CHANGE = 'Nothing is changed';

export interface SettingsEvents {
  /** Others are in force now. `names` are of those that a change named, and of those that differ by hand. */
  changed: [settings: Settings, names: ReadonlySet<keyof Settings>];
  /** `problems` are others now. */
  problems: [];
}

/** A change, or what makes it of the settings that are in force at that moment. */
export type WantedChange = SettingsChange | ((current: Settings) => SettingsChange);

export class SettingsFile extends EventEmitter<SettingsEvents> {
  readonly #file: string;
  #settings = Settings.parse({});
  /** The file as it was taken over or written last; null where there was none. */
  #text: string | null = null;
  /** Why the file as a whole cannot be read now. */
  #unreadable: string | null = null;
  #problems: readonly SettingProblem[] = [];
  #sentences: readonly string[] = [];
  /** What is in force in place of a setting that cannot be read. */
  #instead = 'the default';
  #looking: NodeJS.Timeout | undefined;
  /** Of the file, as it was at the last look. */
  #figures = '';

  /** Where there is no file, the defaults are in force.
   * @throws HarborError `config_unreadable` when something cannot be read that may restrict */
  constructor(file: string) {
    super();
    this.#file = file;
    this.#takeOver(NO_START);
    const restricting = this.#problems.filter(({ restricts }) => restricts);
    if (restricting.length > 0) throw this.#refusal(restricting.map(({ told }) => told).join('; '), NO_START);
    this.#instead = 'what was in force before';
  }

  get current(): Settings {
    return this.#settings;
  }

  /** What people must know of the file, each in a sentence: what cannot be read in it, and what is in force instead. */
  get problems(): readonly string[] {
    if (this.#unreadable !== null)
      return [
        `The settings file cannot be read (${this.#unreadable}); the settings from before are in force.`,
      ];
    return this.#sentences;
  }

  /**
   * Changes the settings that are named and no others: what a person has written into the file meanwhile stays.
   * @returns the settings that are now in force
   * @throws HarborError `config_unreadable` while the file, or what it says of these settings, cannot be read: it is left
   * as it is, and nothing changes
   */
  change(wanted: WantedChange): Settings {
    return this.#telling(() => {
      this.#takeOver();
      const change = typeof wanted === 'function' ? wanted(this.#settings) : wanted;
      const inTheWay = this.#problems.find(({ name }) => name !== null && name in change);
      if (inTheWay) throw this.#refusal(inTheWay.told, NO_CHANGE);
      this.#write(Settings.parse({ ...this.#settings, ...change }));
      return change;
    });
  }

  /** From now on edits by hand are seen within a second, until `close`. */
  watch(): void {
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#looking);
  }

  /** Editors write a file in several steps: it is read once it is as it was at the look before. */
  #look(): void {
    const before = this.#figures;
    this.#figures = figuresOf(this.#file);
    if (this.#figures === before) this.#lookInto();
  }

  #lookInto(): void {
    this.#telling(() => {
      try {
        this.#takeOver();
      } catch (error) {
        // The problems say it.
        if (!(error instanceof HarborError)) throw error;
      }
      return {};
    });
  }

  /** Tells those who listen what has become another by `work`, which answers what it was to change. */
  #telling(work: () => SettingsChange): Settings {
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

  /** Puts in force what somebody has written into the file: of what cannot be read, what was in force stays. A file that is
   * gone says nothing: all stays as it is.
   * @throws HarborError `config_unreadable` */
  #takeOver(otherwise = NO_CHANGE): void {
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
    this.#sentences = problems.map(({ name, told }) => sentence(told, name === null ? null : this.#instead));
  }

  #refusal(why: string, therefore: string): HarborError {
    return new HarborError(
      'config_unreadable',
      `The settings file ${this.#file} cannot be read: ${why}. ${therefore} and the file is left as it is; correct it and try again.`,
    );
  }

  /** Whole or not at all; what stood there is kept as a backup. */
  #write(settings: Settings): void {
    const text = textOf(settings, this.#text);
    if (existsSync(this.#file)) put(`${this.#file}.bak`, this.#file, readFileSync(this.#file));
    put(this.#file, this.#file, text);
    this.#read(text);
    this.#settings = settings;
  }
}

/** Writes a file beside the settings whole. It belongs to whom those belong, or their folder. */
function put(file: string, settings: string, content: string | Buffer): void {
  const owner = statSync(existsSync(settings) ? settings : path.dirname(settings));
  const draft = `${settings}.draft`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content);
    giveTo(owner, { chown: (uid, gid) => fchownSync(descriptor, uid, gid) });
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}

function sentence(told: string, instead: string | null): string {
  return `In the settings file, ${told}; ${instead === null ? 'it counts for nothing' : `${instead} is in force`}.`;
}

/** Those that a change names, whatever their values, and those that are others than before. */
function namesOf(change: SettingsChange, before: Settings, now: Settings): Set<keyof Settings> {
  const names = Object.keys(Settings.shape) as (keyof Settings)[];
  return new Set(names.filter((name) => name in change || !isDeepStrictEqual(before[name], now[name])));
}
