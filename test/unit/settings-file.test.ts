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

/** Of these nothing can be told. */
const UNREADABLE: [string, string, RegExp][] = [
  ['a comma too many', '{\n  "port": 5000,\n}', /line 3, column 1: .*extra comma/],
  ['a brace that is missing', '{\n  "port": 5000', /line 2, column \d+: a closing brace is missing/],
  ['nothing in it', ' \n', /line 1, column 1: the file is empty/],
  ['a list in it', ' []', /line 1, column 2: an object in braces is expected/],
  [
    'a name twice',
    '{"port": 1,\n"approvals": [],\n"approvals": []}',
    /line 3, column 1: "approvals" occurs twice/,
  ],
  ['a name twice inside', '{"servers": [{"port": 1, "port": 2}]}', /line 1, column 26: "port" occurs twice/],
];

/** What restricts, wrongly written. */
const RESTRICTING: [string, string, RegExp][] = [
  [
    'a string where a number belongs',
    '{\n  "cpuSeconds": "60"\n}',
    /line 2, column 17: cpuSeconds: .*number/,
  ],
  [
    'a rule without its answer',
    '{"approvals": [\n{"class": "network"}]}',
    /line 2, column 1: approvals\.0\.answer: /,
  ],
  [
    'a rule for a client whose name is written wrongly',
    '{"approvals": [{"clinet": "codex", "class": "network", "answer": "allow"}]}',
    /line 1, column 27: approvals\.0\.clinet: there is no "clinet" here \(did you mean "client"\?\)/,
  ],
  [
    'an entry without its power',
    '{"allowList": [\n{"folder": "/a"}]}',
    /line 2, column 1: allowList\.0\.power: /,
  ],
  ['a word where true belongs', '{"ownHistoryOnly": "yes"}', /line 1, column 20: ownHistoryOnly: /],
  [
    'a name of it written wrongly',
    '{\n  "aprovals": []\n}',
    /line 2, column 3: there is no setting "aprovals" \(did you mean "approvals"\?\)/,
  ],
  ['the version of another app', '{"version": 2}', /line 1, column 13: version: /],
];

describe.each([...UNREADABLE, ...RESTRICTING])('a file with %s', (_, text, why) => {
  it('is no reason to start without what it restricts', () => {
    write(text);
    const message = refusal(open);
    expect(message).toContain(file);
    expect(message).toMatch(why);
    expect(message).toMatch(/does not start/);
    expect(readdirSync(folder)).toEqual(['settings.json']);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

describe.each(UNREADABLE)('a file with %s, while the harbor runs', (_, text, why) => {
  it('is never overwritten: a change is refused with its place, and what is in force stays', () => {
    settings.change({ port: 5000 });
    write(text);
    const message = refusal(() => settings.change({ theme: 'dark' }));
    expect(message).toContain(file);
    expect(message).toMatch(why);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(settings.current).toMatchObject({ port: 5000, theme: 'system' });
    expect(settings.problems).toEqual([expect.stringMatching(why)]);
    write({ port: 7000 });
    expect(settings.change({ theme: 'dark' })).toMatchObject({ port: 7000, theme: 'dark' });
    expect(settings.problems).toEqual([]);
  });
});

const DENY = { client: null, class: 'evaluate', answer: 'deny' } as const;

describe.each(RESTRICTING)('a file with %s, while the harbor runs', (_, text, why) => {
  const before = {
    approvals: [DENY],
    cpuSeconds: 30,
    ownHistoryOnly: true,
    allowList: [
      { folder: '/a', power: 'read' as const, reason: '', addedBy: 'settings', addedAt: null, project: null },
    ],
  };

  it('keeps what restricted, takes the rest over, and keeps what it says through other changes', () => {
    settings.change(before);
    write(text.replace('{', '{"port": 7000, '));
    const moved = new RegExp(why.source.replace(/^line \d+, column \d+/, 'line \\d+, column \\d+'));
    expect(settings.change({ theme: 'dark' })).toMatchObject({ port: 7000, theme: 'dark' });
    const { approvals, cpuSeconds, ownHistoryOnly, allowList } = settings.current;
    const given = JSON.parse(text) as Record<string, unknown>;
    if ('approvals' in given || 'aprovals' in given) expect(approvals).toEqual([DENY]);
    if ('cpuSeconds' in given) expect(cpuSeconds).toBe(30);
    if ('ownHistoryOnly' in given) expect(ownHistoryOnly).toBe(true);
    if ('allowList' in given) expect(allowList).toEqual(before.allowList);
    expect(settings.problems).toEqual([expect.stringMatching(moved)]);
    expect(onDisk()).toMatchObject(given);
  });
});

describe('a setting that restricts nothing', () => {
  it('is the default where it cannot be read; the others hold, and the file is left as it is', () => {
    const text = '{\n  "theme": 5,\n  "approvals": [{"class": "network", "answer": "deny"}]\n}';
    write(text);
    open();
    expect(settings.current.theme).toBe('system');
    expect(settings.current.approvals).toEqual([{ ...DENY, class: 'network' }]);
    expect(settings.problems).toEqual([
      expect.stringMatching(/line 2, column 12: theme: .*; the default applies\.$/),
    ]);
    expect(refusal(() => settings.change({ theme: 'dark' }))).toMatch(/line 2, column 12/);
    settings.change({ port: 5000 });
    expect(onDisk()).toMatchObject({ theme: 5, port: 5000 });
  });

  it('stays as it was while the harbor runs', () => {
    settings.change({ theme: 'dark' });
    write({ theme: 5 });
    settings.change({ port: 5000 });
    expect(settings.current.theme).toBe('dark');
    expect(settings.problems).toEqual([expect.stringMatching(/previous value/)]);
  });

  it('that there is not is told with the likely name, and stays in the file', () => {
    write({ thme: 'dark', somethingElse: 1, approvals: [], aprovals: [] });
    open();
    expect(settings.problems).toEqual([
      expect.stringContaining('"thme" (did you mean "theme"?)'),
      expect.stringContaining('"somethingElse"'),
      expect.stringContaining('"aprovals" (did you mean "approvals"?)'),
    ]);
    settings.change({ theme: 'light' });
    expect(onDisk()).toMatchObject({ thme: 'dark', somethingElse: 1, aprovals: [] });
  });
});

describe('a file that is watched', () => {
  it('is taken over when somebody writes it, and when an editor puts another in its place', async () => {
    settings.watch();
    write({ port: 6000 });
    await expect.poll(() => settings.current.port, PATIENT).toBe(6000);
    writeFileSync(`${file}.new`, '{"port": 7000}');
    renameSync(file, `${file}~`);
    renameSync(`${file}.new`, file);
    await expect.poll(() => settings.current.port, PATIENT).toBe(7000);
    expect(told).toEqual([['port'], ['port']]);
  });

  it('tells that it cannot be read, and that it can again', async () => {
    let count = 0;
    settings.on('problems', () => {
      count += 1;
    });
    settings.watch();
    write('{');
    await expect.poll(() => settings.problems.join(), PATIENT).toMatch(/line 1, column 2/);
    write({ port: 6000 });
    await expect.poll(() => settings.current.port, PATIENT).toBe(6000);
    expect(settings.problems).toEqual([]);
    expect(count).toBe(2);
  });

  it('is not taken for an edit when its owner writes it', async () => {
    settings.watch();
    settings.change({ port: 6000 });
    write({ ...onDisk(), theme: 'dark' });
    await expect.poll(() => settings.current.theme, PATIENT).toBe('dark');
    expect(told).toEqual([['port'], ['theme']]);
  });

  it('is seen also when it was written before anybody watched', async () => {
    write({ port: 6000 });
    settings.watch();
    await expect.poll(() => settings.current.port, PATIENT).toBe(6000);
  });

  it('is left alone once it is closed', async () => {
    settings.watch();
    settings.close();
    const other = new SettingsFile(file);
    other.watch();
    write({ port: 6000 });
    await expect.poll(() => other.current.port, PATIENT).toBe(6000);
    other.close();
    expect(settings.current.port).toBe(4617);
  });
});
