/** Where the window opens: where it was the last time, if a screen still shows that. Pure. */
/** Device-independent pixels, as Electron's displays and bounds. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is remembered between two starts: the bounds when not maximised, and whether it was maximised. */
export interface WindowState extends Area {
  maximized: boolean;
}

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
