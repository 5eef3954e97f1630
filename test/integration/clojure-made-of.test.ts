/** The fingerprint of a Clojure project's classpath: when an input changes, its image is out of date. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { classPath, folder, home, inOwnFolders, install, madeOf, project } from './class-path-fixture';
import { writeFiles } from './loading-fixture';

inOwnFolders();

describe('what a classpath was made of', () => {
  /** The result after each of several changes. */
  const changed = async (...changes: (() => void)[]) => {
    await classPath();
    expect(madeOf.changed).toBeNull();
    return changes.map((change) => {
      change();
      return madeOf.changed;
    });
  };
  const writing = (name: string, text: string) => () => writeFiles(project, { [name]: text });

  it('has the build file of the project, and those that would come before it', async () => {
    writeFiles(project, { 'project.clj': '(defproject a "1")' });
    expect(
      await changed(
        writing('bb.edn', '{}'),
        writing('project.clj', '(defproject a "2")'),
        writing('deps.edn', '{}'),
      ),
    ).toEqual([null, 'project.clj has changed', 'deps.edn is new']);
  });

  it('has the source folders, not what is in them, and the build files of local projects', async () => {
    writeFiles(project, {
      'deps.edn': '{:paths ["src" "gen"] :deps {lib/it {:local/root "lib"}}}',
      'lib/deps.edn': '{:paths ["code"]}',
    });
    expect(
      await changed(
        writing('src/more.clj', '(ns more)'),
        writing('gen/a.clj', '(ns a)'),
        () => rmSync(path.join(project, 'gen'), { recursive: true }),
        writing('lib/deps.edn', '{:paths ["src"]}'),
      ),
    ).toEqual([null, 'gen is new', null, 'lib/deps.edn has changed']);
  });

  it('has the archives that were looked for, and nothing of what may not be read', async () => {
    const outside = path.join(folder, 'outside');
    writeFiles(project, {
      'deps.edn': `{:paths ["${outside}"] :deps {org.x/y {:mvn/version "1"}}}`,
    });
    mkdirSync(path.join(home, '.m2/repository'), { recursive: true });
    let archive = '';
    const told = await changed(
      () => mkdirSync(outside),
      () => {
        archive = install('org.x', 'y', '1');
      },
    );
    expect(told).toEqual([null, `${archive} is new`]);
  });
});
