/** The journal: every record comes into the database exactly once, whatever lies beside it. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../electron/history/database';
import { History } from '../../electron/history/history';
import { Ingest } from '../../electron/history/ingest';
import { Journal, journalFolder } from '../../electron/history/journal';
import type { RowWrite } from '../../electron/history/row-writes';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

const NO_WORKER = pathToFileURL('unused.js');

function newHistory(file = path.join(temporaryFolder(), 'history.db')): History {
  const history = new History(file, NO_WORKER);
  onTestFinished(() => history.close());
  return history;
}

/** What lies in the database, read past the history. */
function onDisk(file: string, sql: string): unknown[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare(sql).pluck().all();
  } finally {
    database.close();
  }
}

const idsOf = (file: string) => onDisk(file, 'select id from evaluations order by id');
const segments = (file: string) => readdirSync(journalFolder(file)).filter((name) => /^\d/.test(name));

/** The journal that a killed harbor left: an evaluation in each record, with these ids. */
function leftJournal(file: string, ids: readonly number[]): string {
  openDatabase(file).database.close();
  const journal = new Journal(file);
  for (const id of ids) journal.append([open(id)]);
  const segment = path.join(journal.folder, journal.end.segment);
  journal.close();
  return segment;
}

function open(id: number, code = `(row ${id})`): RowWrite {
  return ['open', { row: { ...opened({ code }), id }, closedUpTo: null }];
}

describe('a record', () => {
  it('is in a private file before its code runs, and read as if it were in the database', () => {
    const history = newHistory();
    const { evaluations, writer } = history;
    const file = writer.database.name;
    const id = evaluations.open(opened({ code: '(journal)' }));
    const [segment = ''] = segments(file);
    expect(readFileSync(path.join(journalFolder(file), segment), 'utf8')).toContain('(journal)');
    expect(statSync(path.join(journalFolder(file), segment)).mode & 0o777).toBe(0o600);
    expect(statSync(journalFolder(file)).mode & 0o777).toBe(0o700);
    evaluations.appendOutput(id, 'stdout', 'printed');
    expect(evaluations.close(id, closed())).toMatchObject({ outcome: 'ok', stdout: 'printed' });
    expect(evaluations.find(id)).toMatchObject({ code: '(journal)', outcome: 'ok', stdout: 'printed' });
    expect(evaluations.page({ limit: 5 }).rows).toMatchObject([{ id, outcome: 'ok', output: 'printed' }]);
    expect(evaluations.output(id, 0, 10).text).toBe('printed');
    expect(segments(file)).toEqual([]);
    expect(idsOf(file)).toEqual([id]);
  });

  it('leaves the journal when it is removed from the history', () => {
    const history = newHistory();
    const { evaluations, writer, retention } = history;
    const id = evaluations.open(opened({ code: '(secret)' }));
    evaluations.close(id, closed());
    writer.settle();
    evaluations.open(opened({ code: '(later)', startedAt: 10_000 }));
    expect(retention.removeBefore(5_000)).toBe(true);
    const left = segments(writer.database.name).map((name) =>
      readFileSync(path.join(journalFolder(writer.database.name), name), 'utf8'),
    );
    expect(left.join()).not.toContain('secret');
    expect(evaluations.find(id)).toBeNull();
  });

  it('of a killed harbor is in the history of the next, with an id that is not given again', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    leftJournal(file, [1, 2, 3]);
    const { evaluations } = newHistory(file);
    expect(evaluations.find(3)).toMatchObject({ code: '(row 3)', outcome: 'crashed' });
    expect(evaluations.open(opened())).toBe(4);
    expect(idsOf(file).slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('of a killed harbor waits while the database is locked, and keeps its id', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    leftJournal(file, [1, 2, 3]);
    const other = new Sqlite(file);
    other.exec('begin immediate');
    const { evaluations, writer } = newHistory(file);
    const id = evaluations.open(opened({ code: '(new)' }));
    expect(id).toBe(4);
    other.exec('rollback');
    other.close();
    writer.catchUp();
    expect(onDisk(file, 'select code from evaluations order by id')).toEqual([
      '(row 1)',
      '(row 2)',
      '(row 3)',
      '(new)',
    ]);
  });

  it('comes into the database once, though a second thread brings in the same journal', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    const { database } = openDatabase(file);
    const second = openDatabase(file).database;
    const journal = new Journal(file);
    const print: RowWrite = [
      'output',
      { evaluation: 1, printed: [{ stream: 'stdout', text: 'once', dropped: 0 }], lost: 0 },
    ];
    journal.append([open(1), print]);
    const [one, other] = [new Ingest(database), new Ingest(second)];
    for (const ingest of [one, other, one]) ingest.run(journal.end);
    journal.append([open(2)]);
    for (const ingest of [other, one]) expect(ingest.run(journal.end).rejected).toBe(0);
    journal.close();
    for (const ingest of [one, other]) ingest.run(journal.end);
    expect(segments(file)).toEqual([]);
    expect(idsOf(file)).toEqual([1, 2]);
    expect(onDisk(file, 'select text from output')).toEqual(['once']);
    expect(onDisk(file, 'select output_dropped from evaluations')).toEqual([0, 0]);
    for (const each of [database, second]) each.close();
  });

  it('longer than what is read at once, or of any text, is read back as it was', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    const { database } = openDatabase(file);
    const journal = new Journal(file);
    const codes = ['x'.repeat(3_000_000), '\n00000002 00000000 []\n', '\0\u2028😀\ud800'.toWellFormed(), ''];
    for (const [index, code] of codes.entries()) journal.append([open(index + 1, code)]);
    new Ingest(database).run(journal.end);
    journal.close();
    expect(onDisk(file, 'select code from evaluations order by id')).toEqual(codes);
    database.close();
  });
});

/** Damage to the segment of a killed harbor, and the rows that are left of 1, 2, 3. */
const DAMAGES: readonly (readonly [string, (segment: string) => void, readonly number[]])[] = [
  ['cut off in its last record', (at) => truncateSync(at, statSync(at).size - 20), [1, 2]],
  ['with a bit flipped in a text', (at) => flip(at, '(row 2)'), [1, 3]],
  ['with a bit flipped in a length', (at) => flipAt(at, lineStarts(at)[1] ?? 0), [1, 3]],
  ['with a bit flipped in a checksum', (at) => flipAt(at, (lineStarts(at)[1] ?? 0) + 9), [1, 3]],
  ['with zeros at its end', (at) => appendFileSync(at, Buffer.alloc(300_000)), [1, 2, 3]],
  [
    'with bytes at its beginning',
    (at) => writeFileSync(at, Buffer.concat([Buffer.from('?!'), readFileSync(at)])),
    [2, 3],
  ],
  ['with a record of another version', (at) => appendFileSync(at, record('[["paint",{}]]')), [1, 2, 3]],
  ['with a record that is no list', (at) => appendFileSync(at, record('{"a":1}')), [1, 2, 3]],
  ['with an id that is there already', (at) => appendFileSync(at, readFileSync(at)), [1, 2, 3]],
];

describe('a segment', () => {
  it.each(DAMAGES)('%s stops no start and loses no other record, and is reported', (_, damage, rows) => {
    const file = path.join(temporaryFolder(), 'history.db');
    damage(leftJournal(file, [1, 2, 3]));
    const history = newHistory(file);
    expect(idsOf(file)).toEqual(rows);
    expect(history.notice).not.toBeNull();
    expect(segments(file)).toEqual([]);
    const id = history.evaluations.open(opened());
    expect(history.evaluations.close(id, closed()).outcome).toBe('ok');
    history.writer.settle();
    expect(idsOf(file)).toContain(id);
  });

  it.each<[string, (at: string) => void]>([
    ['a folder', (at) => mkdirSync(at)],
    ['a link', (at) => symlinkSync('/etc/passwd', at)],
    [
      'random bytes',
      (at) => writeFileSync(at, Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7919) % 251))),
    ],
    ['one endless line', (at) => writeFileSync(at, 'f'.repeat(2_000_000))],
    ['a header that promises too much', (at) => writeFileSync(at, 'ffffffff 00000000 []\n')],
  ])('that is %s is put aside', (_, make) => {
    const file = path.join(temporaryFolder(), 'history.db');
    leftJournal(file, [1]);
    make(path.join(journalFolder(file), `0000000000000-${'0'.repeat(16)}`));
    const history = newHistory(file);
    expect(idsOf(file)).toEqual([1]);
    expect(history.notice).toContain('damaged-0000000000000');
    expect(existsSync(path.join(journalFolder(file), `damaged-0000000000000-${'0'.repeat(16)}`))).toBe(true);
  });

  it('that another thread begins to write is not read by a thread that knows only the earlier ones', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    const { database } = openDatabase(file);
    const journal = new Journal(file);
    journal.append([open(1)]);
    const before = journal.end;
    journal.close();
    journal.append([open(2)]);
    const ingest = new Ingest(database);
    expect(ingest.run(before).damaged).toEqual([]);
    expect(idsOf(file)).toEqual([1]);
    ingest.run(journal.end);
    expect(idsOf(file)).toEqual([1, 2]);
    journal.close();
    database.close();
  });

  it('with the highest number does not stop the next', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    leftJournal(file, [1]);
    writeFileSync(path.join(journalFolder(file), `0999999999999-${'0'.repeat(16)}`), '');
    const { evaluations, writer } = newHistory(file);
    evaluations.open(opened());
    expect(segments(file)).toHaveLength(1);
    writer.settle();
    expect(idsOf(file)).toEqual([1, 2]);
  });

  it('belongs to one harbor: another one begins its own', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    const [one, other] = [new Journal(file), new Journal(file)];
    for (const journal of [one, other]) journal.append([open(1)]);
    expect(segments(file)).toHaveLength(2);
    for (const journal of [one, other]) journal.close();
  });

  it('that somebody has removed is counted as lost, and work goes on', () => {
    const history = newHistory();
    const { evaluations, writer } = history;
    evaluations.open(opened());
    evaluations.open(opened());
    for (const name of segments(writer.database.name))
      writeFileSync(path.join(journalFolder(writer.database.name), name), '');
    writer.settle();
    const id = evaluations.open(opened());
    expect(evaluations.close(id, closed()).outcome).toBe('ok');
    writer.settle();
    expect(idsOf(writer.database.name)).toContain(id);
  });
});

function lineStarts(segment: string): number[] {
  const bytes = readFileSync(segment);
  return [...bytes.entries()].filter(([at]) => at === 0 || bytes[at - 1] === 0x0a).map(([at]) => at);
}

function flip(segment: string, text: string): void {
  flipAt(segment, readFileSync(segment).indexOf(text));
}

function flipAt(segment: string, at: number): void {
  const bytes = readFileSync(segment);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(segment, bytes);
}

/** A record with this text. */
function record(text: string): Buffer {
  const folder = path.join(temporaryFolder(), 'history.db');
  const journal = new Journal(folder);
  journal.append(JSON.parse(text) as RowWrite[]);
  const bytes = readFileSync(path.join(journal.folder, journal.end.segment));
  journal.close();
  return bytes;
}
