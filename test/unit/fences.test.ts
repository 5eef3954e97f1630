/**
 * The fences between folders: each line of the table of rooms is proved by files that climb over it and files that keep to
 * it. What the linter refuses is tried with the real configuration.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { crossings, crossingsIn, type Room, rooms, unfenced } from '../fences.mjs';
import { ROOT, writeFiles } from './setup-checkout';

type Case = [file: string, content: string];

const from = (specifier: string, name = 'thing') =>
  `import { ${name} } from '${specifier}';\nexport const own = ${name};\n`;
const typeFrom = (specifier: string) =>
  `import type { Thing } from '${specifier}';\nexport type Own = Thing;\n`;

const table = rooms();
const names = table
  .map(({ place }) => place.replace('electron/', ''))
  .filter((name) => /^[a-z-]+$/.test(name) && name !== 'renderer');

/** Folders in a room, so that a fence is tried from the top of it and from below. */
const INSIDE = ['', 'inside/', 'inside/deeper/'];

/** Files of the room that import from each of the other rooms for which `may` holds. */
function importers({ place }: Room, may: (other: string) => boolean): Case[] {
  const others = names.filter((other) => `electron/${other}` !== place && may(other));
  return others.flatMap((other) =>
    INSIDE.map((inside): Case => {
      const up = '../'.repeat(inside.split('/').length);
      return [`${place}/${inside}to-${other}.ts`, typeFrom(`${up}${other}/thing`)];
    }),
  );
}

const folders = table.filter(({ place }) => /^electron\/[a-z-]+$/.test(place));
const everywhere = ['contract', 'host'];
/** Rooms whose lines say all that they import. */
const saidWhole = [...everywhere, 'words'];
const isAllowed = ({ place, may }: Room, other: string) =>
  may.includes(other) || (everywhere.includes(other) && !saidWhole.includes(place.replace('electron/', '')));

/** What climbs over a fence. */
const climbing: Case[] = [
  ['electron/sessions/electron.ts', from('electron', 'app')],
  ['electron/serve.ts', from('electron', 'app')],
  ['electron/history/electron-type.ts', typeFrom('electron')],
  ['electron/endpoints/electron-main.ts', from('electron/main', 'app')],
  ['electron/tools/entry.ts', from('../serve')],
  ['electron/tools/files/entry.ts', from('../../main')],
  ['electron/stdio.ts', from('./harbor/harbor')],
  ['electron/tools/window.ts', from('../../renderer/app')],
  ['electron/tools/files/window.ts', from('../../../renderer/app')],
  ['electron/images/nbb/engine.ts', from('../sbcl/engine')],
  ['electron/images/acl2/suggestions/engine.ts', from('../../sbcl/engine')],
  ['electron/images/sbcl/sessions.ts', typeFrom('../../sessions/session/session')],
  ['electron/tools/words.ts', from('../words/words')],
  ['electron/words/node.ts', from('node:fs', 'readFileSync')],
  ['electron/contract/node.ts', from('node:fs', 'readFileSync')],
  ['electron/launchers/program.ts', from('node:child_process', 'spawn')],
  ['electron/images/nbb/program.ts', from('node:child_process', 'execFile')],
  ['electron/preload.ts', from('./host/lock')],
  ['renderer/sessions.ts', typeFrom('../electron/sessions/sessions')],
  ['renderer/sessions/electron.ts', from('electron', 'ipcRenderer')],
  ['renderer/node.ts', from('node:fs', 'readFileSync')],
  ['electron/tools/at-run-time.ts', "export const own = () => import('../endpoints/thing');\n"],
  ['electron/tools/in-a-type.ts', "export type Own = import('../endpoints/thing').Thing;\n"],
  ['electron/tools/handed-on.ts', "export { thing } from '../endpoints/thing';\n"],
  ['electron/tools/all-handed-on.ts', "export * from '../endpoints/thing';\n"],
  ['electron/attic/thing.ts', from('../contract/model')],
  ['renderer/app-link.ts', from('../electron/host/lock')],
];

/** What the linter refuses each file for. */
const refused: Record<string, Case[]> = {
  'suspicious/noImportCycles': [['electron/sessions/circle-a.ts', from('./circle-b', 'own')]],
  'performance/noBarrelFile': [['electron/tools/index.ts', "export { thing } from './tool';\n"]],
  'performance/noReExportAll': [['electron/tools/all.ts', "export * from './tool';\n"]],
  'suspicious/noExplicitAny': [['electron/tools/any.ts', 'export const own = (value: any) => value;\n']],
  'suspicious/noTsIgnore': [['electron/tools/ignore.ts', '// @ts-ignore\nexport const own = 1;\n']],
  'suspicious/noConsole': [['renderer/log.ts', "console.log('here');\nexport const own = 1;\n"]],
  'suspicious/noSkippedTests': [
    ['test/unit/skip.test.ts', "import { it } from 'vitest';\nit.skip('later', () => {});\n"],
  ],
  'nursery/noFloatingPromises': [
    [
      'electron/tools/floating.ts',
      'async function work() {\n  await null;\n}\nexport function own() {\n  work();\n}\n',
    ],
  ],
  'correctness/noUnusedImports': [
    ['electron/tools/unused.ts', "import { thing } from './tool';\nexport const own = 1;\n"],
  ],
  'style/useImportType': [
    ['electron/tools/type.ts', "import { Thing } from './tool';\nexport type Own = Thing;\n"],
  ],
  'style/noDefaultExport': [['electron/tools/default.ts', 'export default function own() {}\n']],
  'style/useFilenamingConvention': [['electron/tools/camelCase.ts', 'export const own = 1;\n']],
};

const allowed: Case[] = [
  [
    'electron/main.ts',
    `import { app } from 'electron';\n${from('./harbor/harbor')}export const other = app;\n`,
  ],
  ['electron/serve.ts', from('./harbor/harbor')],
  ['electron/shell/electron.ts', from('electron', 'app')],
  ['electron/tools/profiles/family.ts', from('../tool')],
  ['electron/tools/evaluation/family.ts', from('../sessions/session-view')],
  ['electron/images/sbcl/image.ts', from('../image')],
  ['electron/images/nbb/wire.ts', from('../nrepl/client')],
  ['electron/images/sbcl/wire.ts', from('../agent/wire')],
  ['electron/images/acl2/suggestions/terms.ts', from('../messages')],
  ['electron/endpoints/sdk.ts', from('@modelcontextprotocol/server')],
  [
    'electron/host/version.ts',
    "import packageJson from '../../package.json' with { type: 'json' };\nexport const own = packageJson;\n",
  ],
  ['renderer/contract.ts', typeFrom('../electron/contract/model')],
  ['renderer/words.ts', from('../electron/words/words')],
  ['renderer/sessions/contract.ts', typeFrom('../../electron/contract/model')],
  ['resources/setup/say.mjs', "console.log('here');\n"],
];

/** Lints the files in a layout of their own and answers the rules that each one breaks. */
function lint(cases: Case[]): Map<string, string[]> {
  const layout = mkdtempSync(path.join(tmpdir(), 'fences-'));
  try {
    mkdirSync(path.join(layout, 'test'));
    for (const file of ['test/lint.json', 'package.json'])
      cpSync(path.join(ROOT, file), path.join(layout, file));
    writeFiles(layout, Object.fromEntries(cases));
    const biome = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const args = [biome, 'lint', '--config-path=test/lint.json', '--reporter=json', '--max-diagnostics=none'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: layout, encoding: 'utf8' });
    if (!stdout.startsWith('{')) throw new Error(`Biome did not run: ${stderr}`);
    return brokenRules(JSON.parse(stdout) as Report);
  } finally {
    rmSync(layout, { recursive: true, force: true });
  }
}

interface Report {
  diagnostics: { category: string; severity: string; location: { path: string } }[];
}

function brokenRules({ diagnostics }: Report): Map<string, string[]> {
  const rules = new Map<string, string[]>();
  for (const { category, severity, location } of diagnostics) {
    if (severity === 'error') rules.set(location.path, [...(rules.get(location.path) ?? []), category]);
  }
  return rules;
}

const circle: Case = ['electron/sessions/circle-b.ts', from('./circle-a', 'own')];

describe('the linter refuses', () => {
  let rules: Map<string, string[]>;
  beforeAll(() => {
    rules = lint([...Object.values(refused).flat(), circle]);
  });

  const cases = Object.entries(refused).flatMap(([rule, files]) =>
    files.map(([file, content]) => ({ rule, file, first: content.split('\n')[0] })),
  );
  it.each(cases)('$file: $first ($rule)', ({ rule, file }) => {
    expect(rules.get(file) ?? []).toContain(`lint/${rule}`);
  });
});

describe('the linter allows', () => {
  let rules: Map<string, string[]>;
  beforeAll(() => {
    rules = lint(allowed);
  });

  it.each(allowed)('%s', (file) => {
    expect(rules.get(file) ?? []).toEqual([]);
  });
});

describe('the fences', () => {
  const isCrossing = ([file, content]: Case) => crossingsIn(table, file, content).length > 0;

  it.each(climbing)('are climbed over by %s: %s', (...climber) => {
    expect(isCrossing(climber)).toBe(true);
  });

  it.each(allowed.filter(([file]) => !file.startsWith('resources/')))('are kept by %s', (...file) => {
    expect(isCrossing(file)).toBe(false);
  });

  it.each(folders.map((room) => [room.place, room] as const))(
    'let %s import what its line says',
    (_, room) => {
      const climbers = importers(room, (other) => !isAllowed(room, other));
      const neighbours = importers(room, (other) => isAllowed(room, other));
      expect(climbers.filter((climber) => !isCrossing(climber))).toEqual([]);
      expect(neighbours.filter(isCrossing)).toEqual([]);
    },
  );

  it('are not taken for climbed over by what a file only writes', () => {
    expect(isCrossing(['electron/tools/text.ts', "export const own = `\nimport 'electron';\n`;\n"])).toBe(
      false,
    );
  });

  it('are kept by the tree, every file of which is looked at', () => {
    expect(crossings(table)).toEqual([]);
    const closed = table.map((room) => ({ ...room, may: [] }));
    expect(crossings(closed).length).toBeGreaterThan(500);
  });
});

describe('the table of rooms', () => {
  it('has a line for every folder and entry, and none for what is not there', () => {
    expect(unfenced(table)).toEqual([]);
  });

  it('tells of a folder that it lacks, and of one that has gone', () => {
    const lacking = table.filter(({ place }) => place !== 'electron/tools');
    expect(unfenced([...lacking, { place: 'electron/attic', may: [] }])).toEqual([
      'electron/tools is in no line of the table',
      'electron/attic is in the table and nowhere else',
    ]);
  });
});
