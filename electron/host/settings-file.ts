/**
 * The settings file and its one owner: whoever changes a setting does it here, and whoever must know of it listens. People
 * edit the file too, also while the harbor runs: what they write is taken over, and never overwritten.
 */
import { EventEmitter } from 'node:events';
import {
  copyFileSync,
  existsSync,
  type FSWatcher,
  readFileSync,
  renameSync,
  watch,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asFailure, HarborError } from '../contract/errors';
import { Settings, type SettingsChange } from '../contract/settings';
import { settingsIn, textOf } from './settings-text';

/** Editors write a file in several steps: it is read once nothing has happened to it for so many milliseconds. */
const SETTLED_MS = 100;

export interface SettingsEvents {
  /** Others are in force now. `names` are of those that a change named, and of those that differ by hand. */
  changed: [settings: Settings, names: ReadonlySet<keyof Settings>];
  /** `notice` is another one now. */
  notice: [];
}

/** A change, or what makes it of the settings that are in force at that moment. */
export type WantedChange = SettingsChange | ((current: Settings) => SettingsChange);

export class SettingsFile extends EventEmitter<SettingsEvents> {
  readonly #file: string;
  #settings = Settings.parse({});
  /** The file as it was taken over or written last; null where there was none. */
  #text: string | null = null;
  /** Why the file cannot be read now. */
  #problem: string | null = null;
  /** Where a file is kept aside that could not be read at the start. */
  #kept: string | null = null;
  #watcher: FSWatcher | undefined;
  #settling: NodeJS.Timeout | undefined;

  /** Where there is no file, or none that can be read, the defaults are in force. */
  constructor(file: string) {
    super();
    this.#file = file;
    this.#look();
    if (this.#problem === null) return;
    this.#kept = `${file}.unreadable-${Date.now()}`;
    copyFileSync(file, this.#kept);
  }

  get current(): Settings {
    return this.#settings;
  }

  /** What people must know: that the file cannot be read, and what is in force instead. Else null. */
  get notice(): string | null {
    if (this.#problem === null) return null;
    return this.#kept === null
      ? `The settings file cannot be read (${this.#problem}); the settings from before are in force.`
      : `The settings file could not be read (${this.#problem}); defaults are in force and the file is kept as ${this.#kept}.`;
  }

  /**
   * Changes the settings that are named and no others: what a person has written into the file meanwhile stays.
   * @returns the settings that are now in force
   * @throws HarborError `config_unreadable` while the file cannot be read: it is left as it is, and nothing changes
   */
  change(wanted: WantedChange): Settings {
    return this.#telling(() => {
      this.#takeOver();
      const change = typeof wanted === 'function' ? wanted(this.#settings) : wanted;
      this.#write(Settings.parse({ ...this.#settings, ...change }));
      return change;
    });
  }

  /**
   * From now on edits by hand are seen at once, until `close`. The folder is watched, not the file, in whose place many
   * editors put another.
   * @param failed told why that cannot be; edits are then seen before the next change
   */
  watch(failed: (error: unknown) => void): void {
    try {
      this.#watcher = watch(path.dirname(this.#file), { persistent: false }, (_, name) => {
        if (name === null || name === path.basename(this.#file)) this.#lookSoon();
      });
      this.#watcher.on('error', failed);
    } catch (error) {
      failed(error);
    }
    this.#lookSoon();
  }

  close(): void {
    this.#watcher?.close();
    clearTimeout(this.#settling);
  }

  #lookSoon(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#look(), SETTLED_MS).unref();
  }

  #look(): void {
    this.#telling(() => {
      try {
        this.#takeOver();
      } catch (error) {
        // The notice says it.
        if (!(error instanceof HarborError)) throw error;
      }
      return {};
    });
  }

  /** Tells those who listen what has become another by `work`, which answers what it was to change. */
  #telling(work: () => SettingsChange): Settings {
    const before = this.#settings;
    const { notice } = this;
    let change: SettingsChange = {};
    try {
      change = work();
    } finally {
      if (this.notice !== notice) this.emit('notice');
      if (this.#settings !== before)
        this.emit('changed', this.#settings, namesOf(change, before, this.#settings));
    }
    return this.#settings;
  }

  /** Puts in force what somebody has written into the file. A file that is gone says nothing: all stays as it is.
   * @throws HarborError `config_unreadable` */
  #takeOver(): void {
    try {
      const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : null;
      if (text !== null && text !== this.#text) {
        this.#settings = settingsIn(text);
        this.#text = text;
      }
      this.#problem = null;
      this.#kept = null;
    } catch (error) {
      this.#problem = asFailure(error).message;
      throw new HarborError(
        'config_unreadable',
        `The settings file ${this.#file} cannot be read: ${this.#problem}. Nothing is changed and the file is left as it is; correct it and try again.`,
      );
    }
  }

  /** Whole or not at all; what stood there is kept as a backup. */
  #write(settings: Settings): void {
    const text = textOf(settings, this.#text);
    const draft = `${this.#file}.draft`;
    writeFileSync(draft, text, { mode: 0o600 });
    if (existsSync(this.#file)) copyFileSync(this.#file, `${this.#file}.bak`);
    renameSync(draft, this.#file);
    this.#text = text;
    this.#settings = settings;
  }
}

/** Those that a change names, whatever their values, and those that are others than before. */
function namesOf(change: SettingsChange, before: Settings, now: Settings): Set<keyof Settings> {
  const names = Object.keys(Settings.shape) as (keyof Settings)[];
  return new Set(names.filter((name) => name in change || !isDeepStrictEqual(before[name], now[name])));
}
