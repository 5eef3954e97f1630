/** The fences between folders: each is proved by a file that climbs over it, linted with the real configuration. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT, writeFiles } from './setup-checkout';

type Case = [file: string, content: string];

const from = (specifier: string, name = 'thing') =>
  `import { ${name} } from '${specifier}';\nexport const own = ${name};\n`;
const typeFrom = (specifier: string) =>
  `import type { Thing } from '${specifier}';\nexport type Own = Thing;\n`;

/** Who may import whom, and what each file is then refused for. */
const refused: Record<string, Case[]> = {
  'style/noRestrictedImports': [
    ['electron/sessions/electron.ts', from('electron', 'app')],
    ['electron/harbor-like.ts', from('electron', 'app')],
    ['electron/serve.ts', from('electron', 'app')],
    ['electron/history/electron-type.ts', typeFrom('electron')],
    ['electron/endpoints/electron-main.ts', from('electron/main', 'app')],
    ['electron/tools/harbor.ts', from('../harbor')],
    ['electron/other-entry.ts', from('./harbor')],
    ['electron/shell/harbor.ts', typeFrom('../harbor')],
    ['electron/shell/tools.ts', from('../tools/tool')],
    ['electron/shell/images.ts', from('../images/image')],
    ['electron/endpoints/sessions.ts', from('../sessions/session')],
    ['electron/endpoints/history.ts', from('../history/history')],
    ['electron/access/tools.ts', from('../tools/tool')],
    ['electron/access/sessions.ts', from('../sessions/session')],
    ['electron/tools/images.ts', from('../images/image')],
    ['electron/tools/profiles/deep-images.ts', from('../../images/sbcl/engine')],
    ['electron/tools/endpoints.ts', from('../endpoints/http')],
    ['electron/sessions/tools.ts', from('../tools/tool')],
    ['electron/sessions/access.ts', from('../access/gate')],
    ['electron/images/sessions.ts', from('../sessions/session')],
    ['electron/images/sbcl/sessions.ts', typeFrom('../../sessions/session')],
    ['electron/images/history.ts', from('../history/history')],
    ['electron/images/nbb/engine.ts', from('../sbcl/engine')],
    ['electron/launchers/images.ts', from('../images/image')],
    ['electron/sandbox/launchers.ts', from('../launchers/local')],
    ['electron/history/sessions.ts', from('../sessions/session')],
    ['electron/source/images.ts', from('../images/image')],
    ['electron/connect/sessions.ts', from('../sessions/session')],
    ['electron/contract/sessions.ts', typeFrom('../sessions/session')],
    ['electron/contract/node.ts', from('node:fs', 'readFileSync')],
    ['electron/preload.ts', from('./sessions/session')],
    ['renderer/sessions.ts', typeFrom('../electron/sessions/session')],
    ['renderer/views/electron.ts', from('electron', 'ipcRenderer')],
    ['renderer/node.ts', from('node:fs', 'readFileSync')],
  ],
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
  ['electron/main.ts', `import { app } from 'electron';\n${from('./harbor')}export const other = app;\n`],
  ['electron/serve.ts', from('./harbor')],
  ['electron/shell/electron.ts', from('electron', 'app')],
  ['electron/shell/sessions.ts', from('../sessions/session')],
  ['electron/endpoints/tools.ts', from('../tools/tool')],
  ['electron/tools/sessions.ts', from('../sessions/session')],
  ['electron/tools/profiles/deep-root.ts', from('../../log')],
  ['electron/tools/profiles/deep-contract.ts', from('../../contract/model')],
  ['electron/tools/profiles/family.ts', from('../tool')],
  ['electron/sessions/images.ts', from('../images/image')],
  ['electron/images/sbcl/launchers.ts', from('../../launchers/local')],
  ['electron/images/sbcl/image.ts', from('../image')],
  ['electron/images/nbb/wire.ts', from('../nrepl/client')],
  ['electron/images/sbcl/wire.ts', from('../agent/wire')],
  ['electron/launchers/sandbox.ts', from('../sandbox/confinement')],
  ['electron/access/history.ts', from('../history/calls')],
  ['electron/endpoints/log.ts', from('../log')],
  ['electron/endpoints/sdk.ts', from('@modelcontextprotocol/server')],
  ['renderer/contract.ts', typeFrom('../electron/contract/model')],
  ['renderer/views/contract.ts', typeFrom('../../electron/contract/model')],
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
