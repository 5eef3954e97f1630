/** What images start from is kept under a name that says what it was made of. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Build, Builds } from '../../electron/images/agent/builds';

const SOURCES = path.resolve(import.meta.dirname, '../../resources/lisp');

function temporaryFolder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-builds-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** A build that takes no time. */
const BUILD: Build = {
  title: 'Some Lisp',
  name: 'some-1.0',
  suffix: 'core',
  runtime: [],
  command: '/bin/cp',
  args: (target) => ['/dev/null', target],
  env: {},
};

it('is another one when a file of the agent has changed, or the list of them', async () => {
  const sources = temporaryFolder();
  const builds = new Builds(sources, temporaryFolder());
  const build = () => builds.get(BUILD, () => undefined);
  cpSync(SOURCES, sources, { recursive: true });
  const first = await build();
  expect(path.basename(first)).toMatch(/^some-1\.0-[0-9a-f]{16}\.core$/);
  writeFileSync(path.join(sources, 'notes.txt'), 'of no concern');
  expect(await build()).toBe(first);

  const seen = [first];
  for (const file of ['lisp-harbor-agent.asd', 'build.lisp', 'json.lisp', 'sbcl/forks/relay.lisp']) {
    writeFileSync(path.join(sources, file), ';;;; Changed.\n');
    seen.push(await build());
  }
  expect(new Set(seen).size).toBe(5);
});
