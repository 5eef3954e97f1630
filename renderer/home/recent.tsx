/** Recent projects and evaluations, and opening another folder. */

import { Folder, FolderInput } from 'lucide-react';
import type { EngineName, HistoryRow, SessionView } from '../../electron/contract/model';
import { useEvaluations, useSettings } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { Button } from '../parts/button';
import { LispLine } from '../parts/code';
import { engineTitle, shortenPath } from '../parts/format';
import { Row, Rows } from '../parts/list';
import { OutcomeMark } from '../parts/state-mark';
import { RelativeTime, Sentence, useNow } from '../parts/text';
import { Problem } from '../parts/view';
import { formatRoute, START_ROUTE } from '../route';
import { useCommand, useLive, useServices, useWords } from '../services';
import styles from './recent.module.css';

/** Maximum number of characters of a path. */
const SHOWN_PATH = 56;

export function GoOn({ now }: { now: number }) {
  const words = useWords();
  const { actions } = useServices();
  const choose = useCommand('project:choose');
  const sessions = useLive((state) => state.sessions);
  const current = useLive((state) => state.status?.project);
  const opening = useLive((state) => state.opening);
  const { data } = useSettings();
  const projects = recentProjects(
    [...sessions.values()],
    [...(current ? [current] : []), ...(data?.projects ?? [])],
  );
  return (
    <Rows title={words.home.goOn}>
      <ul>
        {projects.map(({ folder, engines, open, asleep, usedAt }) => (
          <Row
            key={folder}
            icon={Folder}
            title={<b title={folder}>{shortenPath(folder, SHOWN_PATH)}</b>}
            about={
              <>
                {open === 0 ? words.home.noSession : words.home.sessionsOf(engines.map(engineTitle), open)}
                {asleep > 0 && words.home.asleep(asleep)}
                {usedAt !== null && (
                  <>
                    {' '}
                    · <RelativeTime at={usedAt} now={now} />
                  </>
                )}
                {folder === current && words.home.newSessionsHere}
              </>
            }
          >
            <Button
              isDisabled={opening !== null}
              onPress={() => void actions.opener.openProject(folder)}
              aria-label={words.home.openIn(shortenPath(folder, SHOWN_PATH))}
            >
              {words.home.open}
            </Button>
          </Row>
        ))}
        <Row icon={FolderInput} title={words.home.anotherFolder} about={words.home.anotherFolderAbout}>
          <Button onPress={choose.run}>{choose.title}</Button>
        </Row>
      </ul>
    </Rows>
  );
}

/** A recent project. Projects with sessions come first, most recently used first. */
interface RecentProject {
  folder: string;
  engines: EngineName[];
  open: number;
  asleep: number;
  /** Milliseconds since the epoch; null without a session. */
  usedAt: number | null;
}

const MOST = 6;

/** @param known folders that the user approved, in order */
export function recentProjects(sessions: readonly SessionView[], known: readonly string[]): RecentProject[] {
  const there = sessions.filter(({ state }) => state !== 'ended');
  const folders = new Set([...there.map(({ project }) => project), ...known]);
  const projects = Array.from(folders, (folder) => {
    const own = there.filter(({ project }) => project === folder);
    return {
      folder,
      engines: [...new Set(own.map(({ engine }) => engine))],
      open: own.length,
      asleep: own.filter(({ state }) => state === 'asleep').length,
      usedAt: own.length === 0 ? null : Math.max(...own.map(({ lastUsedAt }) => lastUsedAt)),
    };
  });
  return projects.sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0)).slice(0, MOST);
}

const SHOWN = 6;
const ALL: RowFilter = { query: '', engine: null, outcome: null, session: null };

export function RecentEvaluations() {
  const words = useWords();
  const { rows, loading, error } = useEvaluations(ALL);
  const now = useNow(10_000);
  if (error) return <Problem>{error.message}</Problem>;
  if (rows.length === 0) {
    return loading ? null : (
      <p className={styles.none}>
        <Sentence of={words.home.noEvaluations(<a href="#/clients">{words.home.connectClient}</a>)} />
      </p>
    );
  }
  return (
    <>
      <ul aria-label={words.home.lastEvaluations}>
        {rows.slice(0, SHOWN).map((row) => (
          <Recent key={row.id} row={row} now={now} />
        ))}
      </ul>
      <p className={styles.none}>
        <a href="#/history">{words.home.showAll}</a>
      </p>
    </>
  );
}

function Recent({ row, now }: { row: HistoryRow; now: number }) {
  const words = useWords();
  return (
    <li>
      <a className={styles.row} href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: row.id })}>
        <OutcomeMark outcome={row.outcome} tests={row.tests} />
        <LispLine code={row.code} engine={row.engine} />
        <span className={styles.aside}>{words.common.client(row.client)}</span>
        <span className={styles.when}>
          <RelativeTime at={row.startedAt} now={now} />
        </span>
      </a>
    </li>
  );
}
