/** Where the window opens, and what of its last place is believed. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { placeWindow, WindowStateFile } from '../../electron/shell/window-state';

const SCREEN = { x: 0, y: 24, width: 1600, height: 976 };
const SECOND = { x: 1600, y: 0, width: 1280, height: 1024 };
const PLACE = { x: 40, y: 60, width: 900, height: 600, maximized: false };
const FIRST = { x: 200, y: 122, width: 1200, height: 780, maximized: false };

describe('placeWindow', () => {
  it('opens where it was', () => {
    expect(placeWindow(PLACE, [SCREEN])).toEqual(PLACE);
    const onSecond = { ...PLACE, x: 1700, maximized: true };
    expect(placeWindow(onSecond, [SCREEN, SECOND])).toEqual(onSecond);
  });

  it('opens in the middle of the primary screen when its screen is gone', () => {
    expect(placeWindow({ ...PLACE, x: 1700 }, [SCREEN])).toEqual(FIRST);
    expect(placeWindow({ ...PLACE, x: -850 }, [SCREEN])).toEqual(FIRST);
    expect(placeWindow({ ...PLACE, y: 2000 }, [SCREEN])).toEqual(FIRST);
    expect(placeWindow({ ...PLACE, y: 0 }, [SCREEN])).toEqual(FIRST);
  });

  it('shrinks to a screen that became smaller', () => {
    const big = { x: 10, y: 30, width: 5000, height: 4000, maximized: false };
    expect(placeWindow(big, [SCREEN])).toMatchObject({ width: 1600, height: 976 });
  });

  it.each([
    null,
    undefined,
    7,
    'x',
    {},
    { ...PLACE, width: '900' },
    { ...PLACE, width: -1 },
    { ...PLACE, x: 0.5 },
  ])('does not believe %j', (saved) => {
    expect(placeWindow(saved, [SCREEN])).toEqual(FIRST);
  });

  it('keeps its least size on a tiny screen', () => {
    const tiny = { x: 0, y: 0, width: 400, height: 300 };
    expect(placeWindow(null, [tiny])).toEqual({ x: 0, y: 0, width: 720, height: 480, maximized: false });
  });
});

describe('WindowStateFile', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'window-memory-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('reads what it wrote, also into a folder that is not there yet', () => {
    const file = path.join(folder, 'electron', 'window.json');
    const memory = new WindowStateFile(file);
    expect(memory.read()).toBeNull();
    memory.remember({ ...PLACE, x: 1 });
    memory.remember(PLACE);
    memory.flush();
    expect(new WindowStateFile(file).read()).toEqual(PLACE);
    expect(readdirSync(path.dirname(file))).toEqual(['window.json']);
  });

  it('reads nothing from a damaged file and lives with one it cannot write', () => {
    mkdirSync(folder);
    const file = path.join(folder, 'window.json');
    writeFileSync(file, '{"x": 1');
    expect(new WindowStateFile(file).read()).toBeNull();
    const blocked = new WindowStateFile(path.join(file, 'below-a-file.json'));
    blocked.remember(PLACE);
    expect(() => blocked.flush()).not.toThrow();
  });
});
