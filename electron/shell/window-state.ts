/** Where the window opens: where it was the last time, if a screen still shows that. Pure. */
import { z } from 'zod';

/** Device-independent pixels, as Electron's displays and bounds. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is remembered between two starts: the bounds when not maximised, and whether it was maximised. */
export const WindowState = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof WindowState>;

export const MINIMUM_SIZE = { width: 720, height: 480 };
const FIRST_SIZE = { width: 1200, height: 780 };

/** Enough of the top edge must be on a screen to take hold of it. */
const GRIP = { width: 120, height: 32 };

/**
 * Where to open the window.
 * @param saved what the state file holds: anything
 * @param workAreas of the screens, the primary first
 */
export function placeWindow(saved: unknown, workAreas: readonly Area[]): WindowState {
  const parsed = WindowState.safeParse(saved);
  const home = parsed.success ? workAreas.find((area) => showsGrip(area, parsed.data)) : undefined;
  if (!parsed.success || home === undefined) return centred(workAreas[0]);
  return { ...parsed.data, ...fitted(parsed.data, home) };
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
