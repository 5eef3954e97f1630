/** A program that turns a history back to an older schema, as test/package/older-history.ts tells it on stdin. */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

const { file, version, steps } = JSON.parse(readFileSync(0, 'utf8')) as {
  file: string;
  version: number;
  steps: string[];
};

const older = new Sqlite(`${file}.older`);
for (const sql of steps) older.exec(sql);
older.pragma(`user_version = ${version}`);
older.prepare('attach ? as newer').run(file);
older.pragma('foreign_keys = off');
for (const table of tables()) {
  const there = new Set(columns('newer', table));
  const kept = columns('main', table).filter((name) => there.has(name));
  if (kept.length > 0) older.exec(`insert into main.${table} (${kept}) select ${kept} from newer.${table}`);
}
older.exec('detach newer');
older.close();
for (const end of ['', '-wal', '-shm', '-closed']) rmSync(`${file}${end}`, { force: true });
renameSync(`${file}.older`, file);

/** But for those of full-text search, which are filled as rows are. */
function tables(): string[] {
  const named = older.prepare<[], string>("select name from main.sqlite_master where type = 'table'").pluck();
  return named.all().filter((name) => !/^(sqlite_|search|marks$)/.test(name));
}

function columns(schema: string, table: string): string[] {
  const named = older.prepare<[string, string], string>('select name from pragma_table_info(?, ?)');
  return named.pluck().all(table, schema);
}
