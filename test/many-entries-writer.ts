/** A program that fills the history in the file that it is told, as test/many-entries.ts says. */
import Sqlite from 'better-sqlite3';
import { APART_MS, NEWEST_AT } from './many-entries.ts';

const [file = '', count = '0'] = process.argv.slice(2);
const asked = { evaluations: Number(count), newest: NEWEST_AT, apart: APART_MS };

const SESSIONS = `insert into sessions (id, engine, name, client, project, opened_at, ended_at) values
  ('sbcl-1', 'sbcl', 'geometry', 'claude-code', '/srv/geometry', 1, 2),
  ('sbcl-2', 'sbcl', 'tides', 'codex', '/srv/tides', 1, 2),
  ('clojure-1', 'clojure', 'charts', 'cursor', '/srv/charts', 1, 2)`;

const NUMBERS = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < @evaluations)`;

const EVALUATIONS = `${NUMBERS}
insert into evaluations (id, kind, session, engine, client, project, package, package_before, code, outcome, forms,
  condition, started_at, ended_at, duration_ms)
select n, 'eval',
  case n % 3 when 0 then 'sbcl-1' when 1 then 'sbcl-2' else 'clojure-1' end,
  case n % 3 when 2 then 'clojure' else 'sbcl' end,
  case n % 3 when 0 then 'claude-code' when 1 then 'codex' else 'cursor' end,
  case n % 3 when 0 then '/srv/geometry' when 1 then '/srv/tides' else '/srv/charts' end,
  'CL-USER', 'CL-USER',
  '(height-at ' || n || ' :station ' || (n * 7919 % 1000003) || ')',
  case when n % 50 = 0 then 'error' else 'ok' end,
  case when n % 50 = 0 then '[]'
    else json_array(json_object('code', '(height-at)', 'values', json_array(n || '.' || (n * 31 % 97), 'NIL'))) end,
  case when n % 50 = 0 then json_object('type', 'SIMPLE-ERROR', 'message', 'no station ' || n, 'level', 1,
    'restarts', json_array(), 'frames', json_array()) end,
  @newest - (@evaluations - n) * @apart, @newest - (@evaluations - n) * @apart + 12, 12
from numbers`;

const CALLS = `${NUMBERS}
insert into calls (endpoint, client, tool, arguments, outcome, error_code, answer, started_at, duration_ms)
select 'http', 'claude-code', case n % 20 when 0 then 'write_file' else 'find' end,
  json_object('query', 'station-' || n), case n % 20 when 0 then 'error' else 'ok' end,
  case n % 20 when 0 then 'path_not_allowed' end, 'told of ' || n,
  @newest - (@evaluations - n) * @apart + 100, 2
from numbers where n % 10 = 0`;

const database = new Sqlite(file);
database.transaction(() => {
  database.exec(SESSIONS);
  database.prepare(EVALUATIONS).run(asked);
  database.prepare(CALLS).run(asked);
  database.prepare(`update marks set value = ? where name = 'closed'`).run(asked.evaluations);
})();
database.close();
