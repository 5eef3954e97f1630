/** Systems in unusual projects, in SBCL images: they are found, compiled, loaded and tested. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lispString } from '../../electron/contract/knowledge';
import { sourceRegistry } from '../../electron/images/agent/source-registry';
import { makeOdd, WILD_NAMES } from '../odd-project';
import { LispProject, system } from './loading-fixture';

const BROKEN = '(in-package :cl-user)\n\n(defun broken ()\n  (no-such-package:f))';

describe('a system', () => {
  it('is found in a project with links upwards, in circles and to nowhere, and folders that cannot be read', async () => {
    const project = await LispProject.start({
      'src/app.asd': system('app', '(:file "app")'),
      'src/app.lisp': '(defun app () :app)',
    });
    makeOdd(project.folder, 'src');
    expect(await project.loadSystem('app')).toMatchObject({
      outcome: 'ok',
      values: [['("app")']],
      notes: [],
    });
    expect((await project.loadSystem('nowhere')).condition?.message).toContain('nowhere');
  });

  it.each(WILD_NAMES)('in a folder called %s is loaded, and its failures have their places', async (name) => {
    const project = await LispProject.start({
      [`${name}/app.asd`]: system('app', `(:file "${name}") (:file "b")`, ':depends-on ("fiveam")'),
      [`${name}/${name}.lisp`]: '(defun app () :app)',
      [`${name}/b.lisp`]: '(in-package :cl-user) (fiveam:test holds (fiveam:is (eq :app (app))))',
    });
    // As where the project itself is called so.
    const registry = sourceRegistry(project.file(name), { readable: [] });
    await project.evaluate(`(sb-posix:setenv "CL_SOURCE_REGISTRY" ${lispString(registry)} 1)`);
    expect(await project.loadSystem('app')).toMatchObject({ outcome: 'ok', notes: [] });
    expect((await project.runTests(':system "app"')).report?.runs).toMatchObject([{ counts: { passed: 1 } }]);
    project.write({ [`${name}/${name}.lisp`]: BROKEN });
    expect((await project.loadFile(`${name}/${name}.lisp`)).report?.failures).toMatchObject([
      { file: project.file(`${name}/${name}.lisp`), line: 4 },
    ]);
    project.write({ [`${name}/${name}.lisp`]: '(defun renamed () :other)' });
    const { outcome, notes } = await project.loadFile(`${name}/${name}.lisp`);
    expect({ outcome, notes }).toEqual({
      outcome: 'ok',
      notes: [expect.stringContaining('no longer defines APP')],
    });
    const found = await project.evaluate("(sb-introspect:find-definition-source #'renamed)");
    expect(found.outcome).toBe('ok');
  });

  it('is found among as many files as are looked at, and it is told where there are more', async () => {
    const project = await LispProject.start({ 'src/app.asd': system('app', '') });
    for (const n of Array(40).keys()) mkdirSync(project.file(`many/${n}`), { recursive: true });
    await project.evaluate('(setf lisp-harbor-agent::*most-entries* 20)');
    const { outcome, notes } = await project.loadSystem('app');
    expect(outcome).toBe('error');
    expect(notes.join()).toMatch(/among the first 20 files and folders below \S+ only/);
    await project.evaluate('(setf lisp-harbor-agent::*most-entries* 200000)');
    expect(await project.loadSystem('app')).toMatchObject({ outcome: 'ok', notes: [] });
  });
});
