/** The sources of a sandbox are opened if they are what the rules allowed, and only then. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mounts } from '../../electron/sandbox/bubblewrap-arguments';
import type { Confinement } from '../../electron/sandbox/confinement';
import { MountSources } from '../../electron/sandbox/mount-sources';

let root: string;
const at = (...parts: string[]) => path.join(root, ...parts);

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'opened-places-')));
  for (const folder of ['project/own', 'library/deep', 'secret']) mkdirSync(at(folder), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const MOVED = expect.objectContaining({ code: 'path_not_allowed' });

/** Calls `look` with the opened sources, and closes them. */
function opened<R>(
  { needs = [], ...more }: Partial<Confinement> & { needs?: readonly string[] },
  look: (places: MountSources) => R,
): R {
  const confinement = { writable: [at('project')], readable: [], network: false, ...more };
  const places = MountSources.open(mounts(needs, confinement, []), confinement);
  try {
    return look(places);
  } finally {
    places.close();
  }
}

const realOf = (place: string) => (places: MountSources) => places.at(place)?.real;

describe('sources are opened', () => {
  it('with their identity on disk, for every spelling of their path', () => {
    const { dev, ino } = statSync(at('project'), { bigint: true });
    const place = opened({}, (places) => places.at(`${at('project')}/`));
    expect(place).toEqual({ real: at('project'), isFolder: true, device: dev, inode: ino });
  });

  it('except for missing ones, and those that were not requested', () => {
    expect(opened({ readable: [at('gone')] }, (places) => places.at(at('gone')))).toBeNull();
    expect(opened({}, (places) => places.at(at('library')))).toBeUndefined();
  });

  it('and a cycle of links is an error', () => {
    symlinkSync('circle', at('project/circle'));
    expect(() => opened({ readable: [at('project/circle')] }, () => undefined)).toThrow(MOVED);
  });

  it('and closed again, also if one of them is refused', () => {
    const before = readdirSync('/proc/self/fd').length;
    opened({ readable: [at('library')] }, () => undefined);
    symlinkSync(at('secret'), at('project/link'));
    const refused = { writable: [at('library'), at('project/link')] };
    expect(() => opened(refused, () => undefined)).toThrow(MOVED);
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });
});

describe('behind a link may be', () => {
  it('no writable folder, wherever the link is', () => {
    symlinkSync(at('secret'), at('link'));
    mkdirSync(at('secret/below'));
    for (const place of ['link', 'link/below'])
      expect(() => opened({ writable: [at(place)] }, () => undefined)).toThrow(MOVED);
  });

  it('a library that is also allowed by its real path', () => {
    symlinkSync(at('library'), at('link'));
    expect(() => opened({ readable: [at('link/deep')] }, () => undefined)).toThrow(MOVED);
    const readable = [at('library'), at('link/deep')];
    expect(opened({ readable }, realOf(at('link/deep')))).toBe(at('library/deep'));
  });

  it('what the engine needs', () => {
    symlinkSync(at('library'), at('link'));
    expect(opened({ needs: [at('link/deep')] }, realOf(at('link/deep')))).toBe(at('library/deep'));
  });

  it('neither, if code could have created one of the links on the way', () => {
    symlinkSync(at('project/hop'), at('link'));
    symlinkSync('../library', at('project/hop'));
    expect(() => opened({ needs: [at('link/deep')] }, () => undefined)).toThrow(MOVED);
    const readable = [at('library'), at('link/deep')];
    expect(() => opened({ readable }, () => undefined)).toThrow(MOVED);
  });
});
