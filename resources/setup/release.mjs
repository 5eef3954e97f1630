/**
 * `npm run release -- [--dry-run] patch|minor|major|VERSION`: checks, sets the version, makes the artefacts
 * with checksums and signatures, commits and tags. It pushes and uploads nothing: the last step prints how.
 * With --dry-run it prints every step, and what would stop it, and changes nothing.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './checkout.mjs';
import { capture, handOver, npmScript } from './child-process.mjs';
import { endWith, SetupError } from './console.mjs';
import { placeholders, readPublisher, UPDATES } from './installers.mjs';

/** Environment variable with the id of the GPG key that signs the checksums. */
const KEY = 'LISP_HARBOR_SIGNING_KEY';

const DRY_RUN = '--dry-run';
const USAGE = `Usage: npm run release -- [${DRY_RUN}] patch|minor|major|VERSION`;

/**
 * `stopped` returns what forbids the release; `idle` returns why the step has nothing to do; `act` performs it.
 * A step that only checks has no `act`.
 * @typedef {{ does: string, stopped?: () => Promise<string | undefined>, idle?: () => string | undefined,
 *   act?: () => Promise<void> }} Step
 */

/** @param {string[]} words */
async function release(words) {
  const dry = words.includes(DRY_RUN);
  const [word, ...others] = words.filter((each) => each !== DRY_RUN);
  if (word === undefined || others.length > 0) throw new SetupError(USAGE);
  const version = nextVersion(read('package.json').version, word);
  const steps = stepsOf(version);
  let stopped = false;
  for (const [place, step] of steps.entries()) {
    print(`${place + 1}/${steps.length} ${step.does}`);
    const problem = await step.stopped?.();
    const idle = step.idle?.();
    if (problem !== undefined) {
      if (!dry) throw new SetupError(problem, 1);
      stopped = true;
      print(`    would stop: ${problem}`);
    } else if (idle !== undefined) print(`    skipped: ${idle}`);
    else if (!dry) await step.act?.();
  }
  if (dry) print('Nothing was changed.');
  return stopped ? 1 : 0;
}

/**
 * @param {string} version the one of package.json
 * @param {string} word
 * @returns {string}
 */
export function nextVersion(version, word) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const next = new Map([
    ['patch', `${major}.${minor}.${patch + 1}`],
    ['minor', `${major}.${minor + 1}.0`],
    ['major', `${major + 1}.0.0`],
  ]).get(word);
  if (next !== undefined) return next;
  if (/^\d+\.\d+\.\d+$/.test(word)) return word;
  throw new SetupError(`${word} is no version and no part of one. ${USAGE}`);
}

/**
 * @param {string} version
 * @returns {Step[]} in their order; none before the tests changes a file
 */
function stepsOf(version) {
  const tag = `v${version}`;
  const date = new Date().toISOString().slice(0, 10);
  return [
    {
      does: 'check that the publisher is named in resources/packaging/publisher.json',
      stopped: async () => {
        const missing = placeholders(readPublisher(root));
        return missing.length > 0 ? `placeholders: ${missing.join(', ')}` : undefined;
      },
    },
    {
      does: `check that everything is committed and ${tag} is a new tag`,
      stopped: async () => {
        if ((await git('status', '--porcelain')) !== '') return 'there are changes that are not committed';
        return (await git('tag', '--list', tag)) === '' ? undefined : `the tag ${tag} exists`;
      },
    },
    {
      does: 'check that CHANGELOG.md begins with an unreleased section',
      stopped: async () =>
        changelogOf(text('CHANGELOG.md'), version, date) === undefined ? 'it does not' : undefined,
    },
    {
      does: 'npm test',
      act: async () => expectZero(await npmScript('test', root), 'npm test'),
    },
    {
      does: `set the version ${version} in package.json, package-lock.json, CHANGELOG.md and the metainfo`,
      act: async () => setVersion(version, date),
    },
    {
      does: 'npm run dist: installers, the bill of materials and the update feed',
      act: async () => expectZero(await npmScript('dist', root), 'npm run dist'),
    },
    {
      does: 'write release/SHA256SUMS',
      act: async () => writeFileSync(path.join(root, 'release/SHA256SUMS'), checksums()),
    },
    {
      does: 'sign release/SHA256SUMS',
      idle: () => (process.env[KEY] ? undefined : `${KEY} names no GPG key`),
      act: async () => {
        const words = [
          '--batch',
          '--yes',
          '--local-user',
          process.env[KEY] ?? '',
          '--armor',
          '--detach-sign',
        ];
        expectZero(await handOver('gpg', [...words, 'release/SHA256SUMS'], { cwd: root }), 'gpg');
      },
    },
    {
      does: `commit and tag ${tag}`,
      act: async () => {
        await git('add', '--update');
        await git('commit', '--message', `Release ${version}`);
        await git('tag', '--annotate', tag, '--message', `Lisp Harbor ${version}`);
      },
    },
    {
      does: `publish: push ${tag}, and copy release/ to the update address`,
      idle: () => (process.env[UPDATES] ? undefined : `${UPDATES} names no address, so the app checks none`),
      act: async () =>
        print(`    git push origin HEAD ${tag}\n    copy release/* to ${process.env[UPDATES]}`),
    },
  ];
}

/**
 * Returns the changelog with its first section as that of the version, or undefined if that section is
 * released.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date
 */
export function changelogOf(changelog, version, date) {
  const [heading = ''] = /^## .*$/m.exec(changelog) ?? [];
  if (!/unreleased/i.test(heading)) return undefined;
  return changelog.replace(heading, `## ${version} (${date})`);
}

/**
 * @param {string} version
 * @param {string} date
 */
function setVersion(version, date) {
  for (const file of ['package.json', 'package-lock.json']) {
    const content = read(file);
    content.version = version;
    if (content.packages !== undefined) content.packages[''].version = version;
    writeFileSync(path.join(root, file), `${JSON.stringify(content, null, 2)}\n`);
  }
  const changelog = changelogOf(text('CHANGELOG.md'), version, date);
  if (changelog !== undefined) writeFileSync(path.join(root, 'CHANGELOG.md'), changelog);
  const metainfo = 'resources/packaging/org.lisp-harbor.app.metainfo.xml';
  writeFileSync(path.join(root, metainfo), metainfoOf(text(metainfo), version, date));
}

/**
 * Adds a release to the metainfo, or dates it if it is there.
 * @param {string} metainfo
 * @param {string} version
 * @param {string} date
 */
function metainfoOf(metainfo, version, date) {
  const row = `    <release version="${version}" date="${date}" />\n`;
  const others = metainfo.replace(
    new RegExp(`^.*<release version="${version.replaceAll('.', '\\.')}".*\\n`, 'm'),
    '',
  );
  return others.replace('  <releases>\n', `  <releases>\n${row}`);
}

/** Returns the checksums of the artefacts, in the format of sha256sum. */
function checksums() {
  const folder = path.join(root, 'release');
  const files = readdirSync(folder).filter(
    (name) => statSync(path.join(folder, name)).isFile() && !/^(builder-|SHA256SUMS)/.test(name),
  );
  const lines = files.sort().map((name) => {
    const hash = createHash('sha256').update(readFileSync(path.join(folder, name)));
    return `${hash.digest('hex')}  ${name}\n`;
  });
  return lines.join('');
}

/** @param {string[]} words */
async function git(...words) {
  const { code, output } = await capture('git', words, { cwd: root });
  if (code !== 0) throw new SetupError(`"git ${words.join(' ')}" failed: ${output.trim()}`, 1);
  return output.trim();
}

/**
 * @param {number} code
 * @param {string} what
 */
function expectZero(code, what) {
  if (code !== 0)
    throw new SetupError(`"${what}" failed (exit ${code}). Nothing was committed or tagged.`, 1);
}

/** @param {string} file below the root */
const text = (file) => readFileSync(path.join(root, file), 'utf8');

/** @param {string} file */
const read = (file) => JSON.parse(text(file));

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}

if (process.argv[1] === import.meta.filename) await endWith(() => release(process.argv.slice(2)));
