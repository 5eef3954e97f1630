/** Which tests `npm test -- PATTERN` and `npm test -- --changed` choose. */
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkout, emptyFolder, runEntry, setupModule, writeFiles } from './setup-checkout';

interface Modules {
  selectTests(
    root: string,
    asked: { patterns?: string[]; changed?: string },
    kinds: { name: string; tests?: RegExp }[],
  ): Promise<{ files: string[]; everything: boolean }>;
}

let setup: Modules;
beforeAll(async () => {
  setup = await setupModule<Modules>('test-selection');
});

const KINDS = [
  { name: 'lint' },
  { name: 'unit', tests: /^test\/unit\/.*\.test\.ts$/ },
  { name: 'e2e', tests: /^test\/e2e\/.*\.spec\.ts$/ },
];

const FILES = {
  'electron/deep.ts': 'export const deep = 1;',
  'electron/types.ts': 'export type Shape = 1;',
  'electron/middle.ts': "export {\n  deep,\n} from './deep';",
  'test/unit/near.test.ts': "import { deep } from '../../electron/deep';",
  'test/unit/far.test.ts': "import '../helper.ts';\nimport type { Shape } from '../../electron/types';",
  'test/unit/late.test.ts': "await import('../../electron/middle');",
  'test/unit/odd.test.ts': 'import { it } from "vitest";',
  'test/helper.ts': "import {\n  deep as d,\n} from '../electron/middle';",
  'test/e2e/tray.spec.ts': "import './steps';",
  'test/e2e/steps.ts': '',
};

/** A repository with everything committed. */
function repository(): { root: string; git: (...args: string[]) => void } {
  const root = emptyFolder();
  writeFiles(root, FILES);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' }) as unknown as undefined;
  git('init');
  git('add', '.');
  git('commit', '-m', 'all');
  return { root, git };
}

describe('without a pattern', () => {
  it('every test file of the steps is chosen', async () => {
    const { root } = repository();
    const unit = await setup.selectTests(root, {}, KINDS.slice(0, 2));
    expect(unit).toEqual({
      files: ['far', 'late', 'near', 'odd'].map((name) => `test/unit/${name}.test.ts`),
      everything: true,
    });
    expect((await setup.selectTests(root, {}, KINDS)).files).toContain('test/e2e/tray.spec.ts');
  });
});

describe('patterns', () => {
  it('choose by parts of paths', async () => {
    const { root } = repository();
    const chosen = await setup.selectTests(root, { patterns: ['unit/n', 'tray'] }, KINDS);
    expect(chosen).toEqual({ files: ['test/e2e/tray.spec.ts', 'test/unit/near.test.ts'], everything: false });
  });

  it('that match nothing are named, before anything is installed', async () => {
    const { root } = repository();
    const asked = { patterns: ['near', 'nowhere'] };
    await expect(setup.selectTests(root, asked, KINDS)).rejects.toThrow(/^nowhere: /);
    const { code, stdout, stderr } = await runEntry(checkout(FILES), 'test', ['nowhere']).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('nowhere');
  });
});

describe('what has changed', () => {
  const chosen = async (root: string, changed = 'HEAD', patterns?: string[]) =>
    (await setup.selectTests(root, { changed, ...(patterns ? { patterns } : {}) }, KINDS)).files;

  it('is nothing in a clean checkout', async () => {
    expect(await chosen(repository().root)).toEqual([]);
  });

  it('chooses the tests that import it, through other files too', async () => {
    const { root } = repository();
    writeFiles(root, { 'electron/deep.ts': 'export const deep = 2;' });
    const reached = ['far', 'late', 'near'].map((name) => `test/unit/${name}.test.ts`);
    expect(await chosen(root)).toEqual(reached);
    expect(await chosen(root, 'HEAD', ['near', 'odd'])).toEqual(['test/unit/near.test.ts']);
  });

  it('chooses nothing where only its types are imported', async () => {
    const { root } = repository();
    writeFiles(root, { 'electron/types.ts': 'export type Shape = 2;' });
    expect(await chosen(root)).toEqual([]);
  });

  it('chooses changed and new tests, and those beside a changed helper', async () => {
    const { root } = repository();
    writeFiles(root, { 'test/unit/odd.test.ts': '', 'test/unit/new.test.ts': '', 'test/e2e/steps.ts': '//' });
    const tests = ['test/e2e/tray.spec.ts', 'test/unit/new.test.ts', 'test/unit/odd.test.ts'];
    expect(await chosen(root)).toEqual(tests);
  });

  it('is seen since a revision, and not where a file is gone', async () => {
    const { root, git } = repository();
    writeFiles(root, { 'test/unit/odd.test.ts': '' });
    git('rm', '-q', 'test/unit/near.test.ts');
    git('commit', '-a', '-m', 'odd');
    expect(await chosen(root)).toEqual([]);
    expect(await chosen(root, 'HEAD~1')).toEqual(['test/unit/odd.test.ts']);
    await expect(chosen(root, 'no-such')).rejects.toThrow(/no-such/);
  });
});
