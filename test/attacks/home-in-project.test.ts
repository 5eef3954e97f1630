/**
 * A project that contains the home folder: known secrets are closed to code in a session, whatever it does
 * with their names. A shell is enough, because engines are confined in the same way.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretPaths } from '../../electron/sandbox/secret-paths';
import { outcome } from '../integration/launch-place';
import { KEPT } from './attack';
import { defaultList } from './confined-session';
import { NOTHING, SANDBOXES } from './launchers';
import { got, lists, reads } from './scripts';

const HOME = 'person/home';

/** Relative to the home folder; each is a folder with a file. */
const SECRETS = secretPaths({ platform: 'linux', home: '/home', dataFolder: '/data', clientFiles: [] })
  .filter(({ path: at }) => at.startsWith('/home/'))
  .map(({ path: at }) => at.slice('/home/'.length))
  .filter((name, _index, all) => !all.some((other) => name.startsWith(`${other}/`)));

/** Attempts on a secret, in the project. Changes are reverted. */
const TRIES: readonly (readonly [name: string, script: (at: string) => string])[] = [
  ['reads', (at) => reads(`${at}/decoy`)],
  ['lists', lists],
  ['writes', (at) => got(`echo ${KEPT.trim()} > ${at}/decoy`)],
  ['adds to', (at) => got(`touch ${at}/new && rm ${at}/new`)],
  ['moves', (at) => got(`mv ${at} away && mv away ${at}`)],
  ['links to', (at) => `${got(`ln ${at}/decoy hard && cat hard`)}; rm -f hard`],
  ['reads by another way to', (at) => `ln -s ${at} way; ${reads('way/decoy')}; rm way`],
];

const ATTEMPTS = SECRETS.flatMap((secret) =>
  TRIES.map(([does, script]) => ({ does, secret, script: script(`${HOME}/${secret}`) })),
);

describe.each([...SANDBOXES, NOTHING])('in $name', ({ name, launcher }) => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'home-in-project-')));
  const project = `${root}/project`;
  let said: string[] = [];

  beforeAll(async () => {
    for (const secret of SECRETS) {
      mkdirSync(`${project}/${HOME}/${secret}`, { recursive: true });
      writeFileSync(`${project}/${HOME}/${secret}/decoy`, KEPT);
    }
    const script = ATTEMPTS.map(({ script: each }) => `( ${each}\n) 2>&1\necho over`).join('\n');
    writeFileSync(`${project}/batch.sh`, script);
    const program = { command: '/bin/bash', args: ['batch.sh'], env: { PATH: '/usr/bin:/bin' } };
    const list = defaultList({ home: `${project}/${HOME}`, data: `${root}/data` });
    const started = await launcher();
    const launched = started.launch({ ...program, cwd: project, needs: [] }, list.confinement(project));
    said = (await outcome(launched)).stdout.split('over\n');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(ATTEMPTS.map(({ does, secret }, index) => ({ does, secret, index })))(
    '$does ~/$secret',
    ({ index }) => {
      expect(said).toHaveLength(ATTEMPTS.length + 1);
      expect(said[index]?.includes('ESCAPED'), said[index]).toBe(name === 'nothing');
    },
  );

  it('leaves them as they were', () => {
    for (const secret of SECRETS)
      expect(readFileSync(`${project}/${HOME}/${secret}/decoy`, 'utf8')).toBe(KEPT);
  });
});
