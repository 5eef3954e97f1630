/** `npm run release`: every step in a dry run, and a whole release of a small checkout. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkout, runEntry, setupModule, writeFiles } from './setup-checkout';

interface Release {
  nextVersion(version: string, word: string): string;
  changelogOf(changelog: string, version: string, date: string): string | undefined;
}

let setup: Release;
beforeAll(async () => {
  setup = await setupModule<Release>('release');
});

const METAINFO = 'resources/packaging/org.lisp-harbor.app.metainfo.xml';

/** A committed checkout whose tests pass and whose installer is one file. */
function committed(publisher: object): string {
  const scripts = {
    test: 'node -e 0',
    dist: `node -e "fs.mkdirSync('release'); fs.writeFileSync('release/app.deb', 'app')"`,
  };
  const own = { name: 'lisp-harbor', version: '0.1.0', type: 'module', scripts };
  const root = checkout();
  writeFiles(root, {
    'package.json': JSON.stringify(own),
    'package-lock.json': JSON.stringify({ ...own, packages: { '': own } }),
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0 (2026-01-01)\n',
    'resources/packaging/publisher.json': JSON.stringify(publisher),
    [METAINFO]: '<component>\n  <releases>\n  </releases>\n</component>\n',
    '.gitignore': 'release\n',
  });
  git(root, 'init', '--quiet');
  git(root, 'config', 'user.name', 'Somebody');
  git(root, 'config', 'user.email', 'somebody@example.org');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'first');
  return root;
}

const git = (root: string, ...words: string[]) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

const read = (root: string, file: string) => readFileSync(path.join(root, file), 'utf8');

const publisher = { name: 'Somebody', email: 'a@example.org' };
const environment = { LISP_HARBOR_SIGNING_KEY: '', LISP_HARBOR_UPDATES: '' };

describe('a release', () => {
  it('sets the version everywhere, and leaves checksums and a tag', async () => {
    const root = committed(publisher);
    const { code, stderr } = await runEntry(root, 'release', ['minor'], environment).ended;
    expect(code, stderr).toBe(0);
    expect(git(root, 'describe')).toBe('v0.2.0');
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(JSON.parse(read(root, 'package.json')).version).toBe('0.2.0');
    expect(JSON.parse(read(root, 'package-lock.json')).packages[''].version).toBe('0.2.0');
    expect(read(root, 'CHANGELOG.md')).toMatch(/^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$/m);
    expect(read(root, METAINFO)).toContain('<release version="0.2.0"');
    const hash = createHash('sha256').update('app').digest('hex');
    expect(read(root, 'release/SHA256SUMS')).toBe(`${hash}  app.deb\n`);
  });

  it('in a dry run prints every step and what would stop it, and changes nothing', async () => {
    const root = committed({ ...publisher, email: 'a@b.invalid' });
    const { code, stdout } = await runEntry(root, 'release', ['--dry-run', 'patch'], environment).ended;
    expect(code).toBe(1);
    expect(stdout.match(/^\d+\/10 /gm)).toHaveLength(10);
    expect(stdout).toContain('would stop: placeholders: email');
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'tag')).toBe('');
  });

  it('is refused with a placeholder, with changes that are not committed, and for a version that exists', async () => {
    const named = committed({ ...publisher, email: 'a@b.invalid' });
    expect((await runEntry(named, 'release', ['patch'], environment).ended).stderr).toContain('placeholders');
    const root = committed(publisher);
    git(root, 'tag', 'v0.1.1');
    expect((await runEntry(root, 'release', ['patch'], environment).ended).stderr).toContain('v0.1.1');
    writeFiles(root, { other: '' });
    expect((await runEntry(root, 'release', ['minor'], environment).ended).stderr).toContain('not committed');
  });
});

it.each([
  ['patch', '1.2.4'],
  ['minor', '1.3.0'],
  ['major', '2.0.0'],
  ['1.2.3', '1.2.3'],
])('%s makes 1.2.3 to %s', (word, next) => {
  expect(setup.nextVersion('1.2.3', word)).toBe(next);
});

it('refuses another word, and a changelog without an unreleased section', () => {
  expect(() => setup.nextVersion('1.2.3', 'huge')).toThrow('Usage');
  expect(setup.changelogOf('# Changelog\n\n## 1.2.3 (2026-01-01)\n', '1.2.4', '2026-02-01')).toBeUndefined();
});
