/** What a sandbox is made of is opened when it is what the rules allowed, and only then. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Confinement } from '../../electron/sandbox/confinement';
import { mounts } from '../../electron/sandbox/mounts';
import { OpenedPlaces } from '../../electron/sandbox/opened-places';

let root: string;
const at = (...parts: string[]) => path.join(root, ...parts);

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'opened-places-')));
  for (const folder of ['project/own', 'library/deep', 'secret']) mkdirSync(at(folder), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const MOVED = expect.objectContaining({ code: 'path_not_allowed' });

/** Calls `look` with what was opened, and closes it. */
function opened<R>(
  { needs = [], ...more }: Partial<Confinement> & { needs?: readonly string[] },
  look: (places: OpenedPlaces) => R,
): R {
  const confinement = { writable: [at('project')], readable: [], network: false, ...more };
  const places = OpenedPlaces.open(mounts(needs, confinement, []), confinement);
  try {
    return look(places);
  } finally {
    places.close();
  }
}

const realOf = (place: string) => (places: OpenedPlaces) => places.at(place)?.real;

describe('places are opened', () => {
  it('as what they are on the disk, by every way to write their path', () => {
    const { dev, ino } = statSync(at('project'), { bigint: true });
    const place = opened({}, (places) => places.at(`${at('project')}/`));
    expect(place).toEqual({ real: at('project'), isFolder: true, device: dev, inode: ino });
  });

  it('but for those that are not there, and those that nobody asked for', () => {
    expect(opened({ readable: [at('gone')] }, (places) => places.at(at('gone')))).toBeNull();
    expect(opened({}, (places) => places.at(at('library')))).toBeUndefined();
  });

  it('and not passed over when links lead in a circle', () => {
    symlinkSync('circle', at('project/circle'));
    expect(() => opened({ readable: [at('project/circle')] }, () => undefined)).toThrow(MOVED);
  });

  it('and closed again, also where one of them is refused', () => {
    const before = readdirSync('/proc/self/fd').length;
    opened({ readable: [at('library')] }, () => undefined);
    symlinkSync(at('secret'), at('project/link'));
    const refused = { writable: [at('library'), at('project/link')] };
    expect(() => opened(refused, () => undefined)).toThrow(MOVED);
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });
});

describe('behind a link there is', () => {
  it('no folder that may be written, wherever the link lies', () => {
    symlinkSync(at('secret'), at('link'));
    mkdirSync(at('secret/below'));
    for (const place of ['link', 'link/below'])
      expect(() => opened({ writable: [at(place)] }, () => undefined)).toThrow(MOVED);
  });

  it('a library that is named by its real path, too', () => {
    symlinkSync(at('library'), at('link'));
    expect(() => opened({ readable: [at('link/deep')] }, () => undefined)).toThrow(MOVED);
    const readable = [at('library'), at('link/deep')];
    expect(opened({ readable }, realOf(at('link/deep')))).toBe(at('library/deep'));
  });

  it('what the engine needs', () => {
    symlinkSync(at('library'), at('link'));
    expect(opened({ needs: [at('link/deep')] }, realOf(at('link/deep')))).toBe(at('library/deep'));
  });

  it('neither, where code could have put one of the links on the way', () => {
    symlinkSync(at('project/hop'), at('link'));
    symlinkSync('../library', at('project/hop'));
    expect(() => opened({ needs: [at('link/deep')] }, () => undefined)).toThrow(MOVED);
    const readable = [at('library'), at('link/deep')];
    expect(() => opened({ readable }, () => undefined)).toThrow(MOVED);
  });
});
