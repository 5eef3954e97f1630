/** Concurrent changes of one file, as agents make them: none is lost. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

const inProject = (file: string) => path.join(harbor.project, file);
const written = (file: string) => readFileSync(inProject(file), 'utf8');

interface FileResult {
  hash: string;
  written: boolean;
}

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

describe('two changes of one file at once', () => {
  const forms = (count: number) => Array.from({ length: count }, (_, index) => `(defun f${index} () :old)\n`);
  const edit = (by: Client, name: string) =>
    call<FileResult>(by, 'edit_form', {
      ...{ path: 'at-once.lisp', operation: 'replace', form_type: 'defun', form_name: name },
      content: `(defun ${name} () :new)`,
    });

  it('are both made, by one client or by several', async () => {
    const others = [await harbor.client('legacy'), await harbor.client('modern')];
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(inProject('at-once.lisp'), forms(6).join(''));
      const edits = forms(6).map((_, index) => edit([client, ...others][index % 3] ?? client, `f${index}`));
      for (const { structured } of await Promise.all(edits)) expect(structured.written).toBe(true);
      expect(written('at-once.lisp')).toBe(forms(6).join('').replaceAll(':old', ':new'));
    }
  });

  it('with the same hash: one is made, the others are told that the file has changed', async () => {
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(inProject('at-once.txt'), `round ${round}`);
      const { hash } = (await call<FileResult>(client, 'read_file', { path: 'at-once.txt' })).structured;
      const contents = ['first', 'second', 'third'].map((each) => `${each} ${round}`);
      const results = await Promise.all(
        contents.map((content) =>
          call<FileResult>(client, 'write_file', { path: 'at-once.txt', content, expected_hash: hash }),
        ),
      );
      const made = contents.filter((_, index) => !results[index]?.isError);
      expect(made).toEqual([written('at-once.txt')]);
      const refused = results.filter(({ isError }) => isError);
      for (const { text } of refused) expect(text).toContain('changed since it was read');
    }
  });
});
