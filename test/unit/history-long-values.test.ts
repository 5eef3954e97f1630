/** Values that are too long for a row: the row has their beginnings, and they are whole beside it. */
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { ROW_VALUE } from '../../electron/history/long-text';
import { Retention } from '../../electron/history/retention';
import { Writer } from '../../electron/history/writer';
import { fillDisk, temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

const LONG = 'v'.repeat(1_000_000);

/** With a character of two units where the row ends. */
const TORN = `${'w'.repeat(ROW_VALUE - 1)}😀`;

const FORMS = [
  { code: '(a)', values: ['1', LONG] },
  { code: '(b)', values: ['2'] },
  { code: '(c)', values: [TORN] },
];

const IN_THE_ROW = [
  { code: '(a)', values: ['1', LONG.slice(0, ROW_VALUE)], lengths: [1, LONG.length] },
  { code: '(b)', values: ['2'] },
  { code: '(c)', values: [TORN.slice(0, ROW_VALUE - 1)], lengths: [TORN.length] },
];

function newHistory() {
  const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
  onTestFinished(() => void database.close());
  const writer = new Writer(database);
  const evaluations = new Evaluations(writer);
  const beside = () => database.prepare('select count(*) from long_values').pluck().get();
  return { database, writer, evaluations, beside };
}

describe('a long value', () => {
  it('is whole for who asked for its evaluation, and for who asks for it whole', () => {
    const { evaluations, beside } = newHistory();
    const id = evaluations.open(opened());
    expect(evaluations.close(id, closed({ forms: FORMS })).forms).toEqual(FORMS);
    expect(evaluations.find(id)?.forms).toEqual(IN_THE_ROW);
    expect(evaluations.whole(id)?.forms).toEqual(FORMS);
    expect(beside()).toBe(2);
  });

  it('is so too while the row is held, and when it has waited for room on the disk', () => {
    const { evaluations, writer, beside } = newHistory();
    const [held, waiting] = [evaluations.open(opened()), evaluations.open(opened())];
    const condition = { type: 'ERROR', message: 'no', level: 1, restarts: [], frames: [] };
    evaluations.suspend(held, { package: 'CL-USER', forms: FORMS, warnings: [], condition });
    const makeRoom = fillDisk(writer);
    evaluations.close(waiting, closed({ forms: FORMS }));
    for (const id of [held, waiting]) expect(evaluations.whole(id)?.forms).toEqual(FORMS);
    expect(beside()).toBe(2);
    makeRoom();
    evaluations.close(held, closed({ forms: FORMS }));
    for (const id of [held, waiting]) expect(evaluations.whole(id)?.forms).toEqual(FORMS);
    expect(beside()).toBe(4);
  });

  it('goes with its row', () => {
    const { evaluations, writer, beside } = newHistory();
    evaluations.close(evaluations.open(opened({ startedAt: 1 })), closed({ forms: FORMS }));
    new Retention(writer, () => undefined).removeBefore(2);
    expect(beside()).toBe(0);
  });
});
