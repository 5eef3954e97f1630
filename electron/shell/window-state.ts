/** Saves the bounds of the window, and restores them if they are still on a screen. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** In device-independent pixels, as Electron's displays and bounds. */
interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Saved state: the bounds when not maximized, and whether the window was maximized. */
export interface WindowState extends Area {
  maximized: boolean;
}

export const MINIMUM_SIZE = { width: 720, height: 480 };
const FIRST_SIZE = { width: 1200, height: 780 };

/** Minimum part of the top edge on a screen, so that the window can be dragged. */
const GRIP = { width: 120, height: 32 };

/**
 * Returns where to open the window.
 * @param saved unchecked content of the state file
 * @param workAreas of the screens, the primary first
 */
export function placeWindow(saved: unknown, workAreas: readonly Area[]): WindowState {
  if (!isWindowState(saved)) return centred(workAreas[0]);
  const home = workAreas.find((area) => showsGrip(area, saved));
  return home === undefined ? centred(workAreas[0]) : { ...saved, ...fitted(saved, home) };
}

function isWindowState(saved: unknown): saved is WindowState {
  const { x, y, width, height, maximized }: Record<string, unknown> = Object(saved);
  const areWhole = [x, y, width, height].every(Number.isSafeInteger);
  return areWhole && Number(width) > 0 && Number(height) > 0 && typeof maximized === 'boolean';
}

function showsGrip(area: Area, place: Area): boolean {
  const overlap = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x);
  const inside = place.y >= area.y && place.y + GRIP.height <= area.y + area.height;
  return overlap >= GRIP.width && inside;
}

function fitted(size: { width: number; height: number }, area: Area): { width: number; height: number } {
  return {
    width: Math.max(MINIMUM_SIZE.width, Math.min(size.width, area.width)),
    height: Math.max(MINIMUM_SIZE.height, Math.min(size.height, area.height)),
  };
}

function centred(area: Area = { x: 0, y: 0, ...FIRST_SIZE }): WindowState {
  const { width, height } = fitted(FIRST_SIZE, area);
  const x = Math.max(area.x, area.x + Math.floor((area.width - width) / 2));
  const y = Math.max(area.y, area.y + Math.floor((area.height - height) / 2));
  return { x, y, width, height, maximized: false };
}

/** Delay of a write in milliseconds. Moving a window emits a hundred events a second. */
const REST_MS = 400;

export class WindowStateFile {
  readonly #file: string;
  #timer: NodeJS.Timeout | null = null;
  #state: WindowState | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the saved state, unchecked; null on the first start or if the file cannot be read. */
  read(): unknown {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return null;
    }
  }

  /** Saves the state after it has not changed for a moment. */
  remember(state: WindowState): void {
    this.#state = state;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), REST_MS);
  }

  /** Writes pending state now. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const state = this.#state;
    this.#state = null;
    if (state === null) return;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(`${this.#file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      // The next start centers the window; no error is worth showing here.
    }
  }
}
