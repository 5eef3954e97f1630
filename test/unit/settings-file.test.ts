/** The settings file: changed by its owner, edited by people meanwhile, and never overwritten where it cannot be read. */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import type { Settings } from '../../electron/contract/settings';
import { SettingsFile } from '../../electron/host/settings-file';
import { PATIENT } from '../started-harbor';

let folder: string;
let file: string;
let settings: SettingsFile;
/** What was told: the names of the settings that are others. */
let told: string[][];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-settings-'));
  file = path.join(folder, 'settings.json');
  open();
});

afterEach(() => {
  settings.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  settings = new SettingsFile(file);
  told = [];
  settings.on('changed', (now, names) => {
    expect(now).toBe(settings.current);
    told.push([...names].toSorted());
  });
}

const onDisk = () => JSON.parse(readFileSync(file, 'utf8')) as Settings & Record<string, unknown>;
const write = (text: string | object) =>
  writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text));
const watch = () =>
  settings.watch((error) => {
    throw error;
  });

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof HarborError && error.code === 'config_unreadable') return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a change', () => {
  it('is in force, on disk, told, and keeps what stood there as a backup', () => {
    expect(settings.change({ port: 5000 }).port).toBe(5000);
    settings.change({ theme: 'dark' });
    expect(onDisk()).toMatchObject({ port: 5000, theme: 'dark' });
    expect(JSON.parse(readFileSync(`${file}.bak`, 'utf8'))).toMatchObject({ port: 5000, theme: 'system' });
    expect(told).toEqual([['port'], ['theme']]);
  });

  it('keeps what was written by hand meanwhile, key by key, and what this version does not know', () => {
    settings.change({ port: 5000 });
    write({ theme: 'dark', port: 6000, notYetKnown: ['x'] });
    expect(settings.change({ softLimitMs: 1000 })).toMatchObject({
      theme: 'dark',
      port: 6000,
      softLimitMs: 1000,
    });
    expect(onDisk()).toMatchObject({ theme: 'dark', port: 6000, softLimitMs: 1000, notYetKnown: ['x'] });
    expect(told.at(-1)).toEqual(['port', 'softLimitMs', 'theme']);
  });

  it('may be made of what is in force when it is written', () => {
    settings.change({ projects: ['/a'] });
    write({ projects: ['/a', '/by-hand'] });
    settings.change(({ projects }) => ({ projects: [...projects, '/b'] }));
    expect(onDisk().projects).toEqual(['/a', '/by-hand', '/b']);
  });

  it('takes a setting off again', () => {
    write({ engine: 'nbb' });
    settings.change({ engine: undefined });
    expect(onDisk()).not.toHaveProperty('engine');
  });

  it('is told by its name also when the value is the same', () => {
    settings.change({ project: '/a' });
    settings.change({ project: '/a' });
    expect(told).toEqual([['project'], ['project']]);
  });

  it('writes a file anew that is gone', () => {
    settings.change({ port: 5000 });
    rmSync(file);
    settings.change({ theme: 'dark' });
    expect(onDisk()).toMatchObject({ port: 5000, theme: 'dark' });
  });
});

const BROKEN: [string, string, RegExp][] = [
  ['a comma too many', '{\n  "port": 5000,\n}', /line 3, column 1: .*a comma too many/],
  ['a brace that is missing', '{\n  "port": 5000', /line 2, column \d+: a closing brace is missing/],
  ['nothing in it', ' \n', /line 1, column 1: the file is empty/],
  ['a wrong type', '{\n  "theme": "dark",\n  "port": "5000"\n}', /line 3, column 11: port: .*number/],
  ['a wrong type inside', '{"allowList": [\n{"folder": "/a"}]}', /line 2, column 1: allowList\.0\.power: /],
];

describe.each(BROKEN)('a file with %s', (_, text, why) => {
  it('is never overwritten: a change is refused with its place, and what is in force stays', () => {
    settings.change({ port: 5000 });
    write(text);
    const message = refusal(() => settings.change({ theme: 'dark' }));
    expect(message).toContain(file);
    expect(message).toMatch(why);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(settings.current).toMatchObject({ port: 5000, theme: 'system' });
    expect(settings.notice).toMatch(why);
    write({ port: 7000 });
    expect(settings.change({ theme: 'dark' })).toMatchObject({ port: 7000, theme: 'dark' });
    expect(settings.notice).toBeNull();
  });

  it('is kept aside at the start, with defaults in force, and stays until it is mended', () => {
    write(text);
    open();
    expect(settings.current.port).toBe(4617);
    const [kept = ''] = readdirSync(folder).filter((name) => name.includes('.unreadable-'));
    expect(readFileSync(path.join(folder, kept), 'utf8')).toBe(text);
    expect(settings.notice).toMatch(/could not be read .*defaults are in force.* is kept as /);
    expect(settings.notice).toContain(kept);
    expect(refusal(() => settings.change({ theme: 'dark' }))).toMatch(why);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

describe('a file that is watched', () => {
  it('is taken over when somebody writes it, and when an editor puts another in its place', async () => {
    watch();
    write({ port: 6000 });
    await expect.poll(() => settings.current.port, PATIENT).toBe(6000);
    writeFileSync(`${file}.new`, '{"port": 7000}');
    renameSync(file, `${file}~`);
    renameSync(`${file}.new`, file);
    await expect.poll(() => settings.current.port, PATIENT).toBe(7000);
    expect(told).toEqual([['port'], ['port']]);
  });

  it('tells that it cannot be read, and that it can again', async () => {
    let notices = 0;
    settings.on('notice', () => {
      notices += 1;
    });
    watch();
    write('{');
    await expect.poll(() => settings.notice, PATIENT).toMatch(/line 1, column 2/);
    write({ port: 6000 });
    await expect.poll(() => settings.current.port, PATIENT).toBe(6000);
    expect(settings.notice).toBeNull();
    expect(notices).toBe(2);
  });

  it('is not taken for an edit when its owner writes it', async () => {
    watch();
    settings.change({ port: 6000 });
    write({ ...onDisk(), theme: 'dark' });
    await expect.poll(() => settings.current.theme, PATIENT).toBe('dark');
    expect(told).toEqual([['port'], ['theme']]);
  });

  it('is seen also when it was written before anybody watched', async () => {
    write({ port: 6000 });
    watch();
    await expect.poll(() => settings.current.port, PATIENT).toBe(6000);
  });

  it('is left alone once it is closed', async () => {
    watch();
    settings.close();
    const other = new SettingsFile(file);
    other.watch((error) => {
      throw error;
    });
    write({ port: 6000 });
    await expect.poll(() => other.current.port, PATIENT).toBe(6000);
    other.close();
    expect(settings.current.port).toBe(4617);
  });
});
