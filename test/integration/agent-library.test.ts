/** An agent works on a library that others have written, through MCP alone: it renames what its files use, and tests stay green. */
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Agent, AgentProject, agentOf, COMPILING_MS } from '../agent-project';

const LIBRARY = '/usr/share/common-lisp/source/alexandria';

let project: AgentProject;
let agent: Agent;

beforeAll(async () => {
  project = await AgentProject.start({ engine: 'sbcl', files: {} });
  cpSync(LIBRARY, project.harbor.project, { recursive: true, dereference: true });
  agent = agentOf(await project.harbor.client());
});
afterAll(() => project.stop());

const original = (file: string) => readFileSync(path.join(LIBRARY, 'alexandria-1', file), 'utf8');

const tested = async () => (await agent.record('run_tests', { system: 'alexandria-tests' })).report?.runs[0];

it(
  'renames an exported macro in all files by one call, and back to the same bytes',
  async () => {
    const before = await tested();
    expect(before?.counts).toMatchObject({ failed: 0, errors: 0 });
    const macro = {
      operation: 'rename',
      form_name: 'alexandria:with-gensyms',
      new_name: 'with-fresh-symbols',
    };
    const { text } = await agent.done('edit_form', macro);
    expect(text).toMatch(/^; alexandria\S*::with-gensyms is now with-fresh-symbols: \d+ in \d+ files\n/);
    expect(project.read('alexandria-1/package.lisp')).toContain('#:with-fresh-symbols');
    // The package is locked, and exports the old name in this image.
    await agent.done('load', { system: 'alexandria', fresh: true });
    const after = await tested();
    expect(after?.counts).toEqual(before?.counts);
    const values = await agent.record('eval', {
      code: '(list (find-symbol "WITH-GENSYMS" :alexandria) (find-symbol "WITH-FRESH-SYMBOLS" :alexandria))',
    });
    expect(values.forms).toMatchObject([{ values: ['(NIL ALEXANDRIA:WITH-FRESH-SYMBOLS)'] }]);
    const back = { ...macro, form_name: 'alexandria:with-fresh-symbols', new_name: 'with-gensyms' };
    await agent.done('edit_form', back);
    for (const file of ['package.lisp', 'macros.lisp', 'lists.lisp'])
      expect(project.read(path.join('alexandria-1', file))).toBe(original(file));
  },
  COMPILING_MS,
);
