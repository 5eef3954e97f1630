/**
 * Case studies from beginning to end: a scripted session proves the forms of test/corpus/acl2/case-studies one after
 * another, is exported as a book, and the book certifies in a fresh process that trusts nothing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sessionSource } from '../../electron/sessions/export/session-source';
import { formsIn } from '../../electron/source/reader';
import { sampled } from '../rounds';
import { acl2Sessions, run } from './acl2-sessions';

const FOLDER = path.resolve(import.meta.dirname, '../corpus/acl2/case-studies');

const TRIED = sampled('case studies', readdirSync(FOLDER), 2);

it.each(TRIED)('%s is proved, exported and certified', async (name) => {
  const { open, history, project } = acl2Sessions();
  const session = await open();
  for (const form of formsIn(readFileSync(path.join(FOLDER, name), 'utf8'), 'common-lisp') ?? []) {
    const { outcome, report } = await run(session, form);
    expect([form, outcome, report?.proof?.issues]).toEqual([form, 'ok', []]);
  }
  const { text, portcullis, definitions } = await sessionSource(session, history.evaluations);
  const { total } = await session.ability('world').commands({ limit: 1 });
  expect(definitions).toBe(total);
  const book = path.join(project, `exported-${path.basename(name, '.lisp')}`);
  writeFileSync(`${book}.lisp`, text);
  if (portcullis !== undefined) writeFileSync(`${book}.acl2`, portcullis);
  expect(portcullis !== undefined).toBe(text.includes('MACHINE::'));

  const { outcome, report } = await run(session, session.ability('world').certifyCode(book));
  expect([outcome, report?.proof?.certification?.certificate, report?.proof?.issues]).toEqual([
    'ok',
    `${book}.cert`,
    [],
  ]);

  const fresh = await open();
  const included = await run(fresh, fresh.loader.bookCode?.(book) ?? '');
  expect(included.report?.proof?.issues.map(({ kind }) => kind)).toEqual(['outside-book']);
});
