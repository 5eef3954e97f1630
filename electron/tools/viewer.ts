/** Who looks, and what they see: of the history the rows of their project and their own, or their own alone; their sessions. */
import { HarborError } from '../contract/errors';
import type { Client, Evaluation, HistoryQuery } from '../contract/model';
import { namesNear } from '../contract/names-there';
import type { History } from '../history/history';
import type { Sessions } from '../sessions/sessions';
import type { Wording } from './profiles/wording';

export interface SeenHistory {
  history: History;
  /** Whether clients see no evaluations but their own. */
  ownOnly: () => boolean;
}

/** Who looks: a client that works in a project. */
export interface Viewer {
  client: Client;
  project: string;
  /** How their profile says texts of ours; absent: as they are. */
  wording?: Wording;
}

/** What a query is narrowed to. */
export function visibility(
  { ownOnly }: Pick<SeenHistory, 'ownOnly'>,
  { client, project }: Viewer,
): Pick<HistoryQuery, 'client' | 'seenBy'> {
  return ownOnly() ? { client: client.key } : { seenBy: { client: client.key, project } };
}

export function maySeeRow(
  { ownOnly }: Pick<SeenHistory, 'ownOnly'>,
  row: Pick<Evaluation, 'client' | 'project'>,
  { client, project }: Viewer,
): boolean {
  return row.client === client.key || (!ownOnly() && row.project === project);
}

/** Of the latest, where one is asked for that is none. */
const NAMED_ROWS = 12;

/** @throws HarborError `unknown_evaluation`, the same whether there is none or it is not to be seen */
export function visibleRow(seen: SeenHistory, id: number, viewer: Viewer): Evaluation {
  const row = seen.history.evaluations.find(id);
  if (row && maySeeRow(seen, row, viewer)) return row;
  const { rows } = seen.history.evaluations.page({ ...visibility(seen, viewer), limit: NAMED_ROWS });
  const latest = rows.map((each) => String(each.id));
  throw new HarborError(
    'unknown_evaluation',
    `There is no evaluation ${id} of yours, nor one in the history of ${viewer.project}. The latest: ${namesNear(String(id), latest) || 'none'}.`,
  );
}

/** The sessions that the viewer may use; the one used last comes first, because it is the likeliest to be meant. */
export function sessionIds(sessions: Sessions, { client }: Viewer): string[] {
  return sessions
    .of(client)
    .toSorted((one, other) => other.newestRow - one.newestRow)
    .map(({ id }) => id);
}
