/** The settings file: read once, checked by its schema, replaced whole with a backup of what stood there. */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Limits } from '../contract/memory';
import type { EngineName } from '../contract/model';
import { Settings, type SettingsChange } from '../contract/settings';

export class SettingsFile {
  readonly #file: string;
  #settings: Settings;
  /** Said to people at start: a file that could not be read was kept aside and defaults are used. */
  readonly notice: string | null;

  constructor(file: string) {
    this.#file = file;
    const { settings, notice } = read(file);
    this.#settings = settings;
    this.notice = notice;
  }

  get current(): Settings {
    return this.#settings;
  }

  /** Applies the change and writes the file; answers the settings that are now in force. */
  change(change: SettingsChange): Settings {
    const settings = Settings.parse({ ...this.#settings, ...change });
    const draft = `${this.#file}.draft`;
    writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
    if (existsSync(this.#file)) copyFileSync(this.#file, `${this.#file}.bak`);
    renameSync(draft, this.#file);
    this.#settings = settings;
    return settings;
  }
}

/** The limits of a session of `engine` that is opened without a word about them. */
export function usualLimits(settings: Settings, engine: EngineName): Limits {
  const { sbclHeapMiB, acl2HeapMiB: acl2, javaHeapMiB: clojure, cpuSeconds, outputChars } = settings;
  const heaps: Partial<Record<EngineName, number>> = { acl2, clojure };
  return { heapMiB: heaps[engine] ?? sbclHeapMiB, cpuSeconds, outputChars };
}

function read(file: string): { settings: Settings; notice: string | null } {
  if (!existsSync(file)) return { settings: Settings.parse({}), notice: null };
  try {
    return { settings: Settings.parse(JSON.parse(readFileSync(file, 'utf8'))), notice: null };
  } catch (error) {
    const kept = `${file}.unreadable-${Date.now()}`;
    copyFileSync(file, kept);
    const reason = error instanceof Error ? error.message : String(error);
    return {
      settings: Settings.parse({}),
      notice: `The settings file could not be read (${reason}); defaults are in force and the file is kept as ${kept}.`,
    };
  }
}
