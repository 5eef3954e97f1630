/** The view of a client: history rows of its project and its own, or only its own; and its sessions. */
import { HarborError, similarNames } from '../contract/errors';
import type { ToolNames } from '../contract/mention';
import type { Client, Evaluation, HistoryQuery } from '../contract/model';

import type { History } from '../history/history';
import type { Sessions } from '../sessions/sessions';

export interface SeenHistory {
  history: History;
  /** Whether clients see only their own evaluations. */
  ownOnly: () => boolean;
}

/** A client that works in a project. */
export interface Viewer {
  client: Client;
  project: string;
  /** How the viewer's profile names our tools; absent: as ours does. */
  names?: ToolNames;
}

/** Returns the history filter for a viewer. */
export function visibility(
  { ownOnly }: Pick<SeenHistory, 'ownOnly'>,
  { client, project }: Viewer,
): Pick<HistoryQuery, 'client' | 'seenBy'> {
  return ownOnly() ? { client: client.key } : { seenBy: { client: client.key, project } };
}

export function canSeeRow(
  { ownOnly }: Pick<SeenHistory, 'ownOnly'>,
  row: Pick<Evaluation, 'client' | 'project'>,
  { client, project }: Viewer,
): boolean {
  return row.client === client.key || (!ownOnly() && row.project === project);
}

/** Number of latest evaluations that an error lists. */
const NAMED_ROWS = 12;

/** @throws HarborError `unknown_evaluation`, both if there is none and if the viewer may not see it */
export function visibleRow(seen: SeenHistory, id: number, viewer: Viewer): Evaluation {
  const row = seen.history.evaluations.find(id);
  if (row && canSeeRow(seen, row, viewer)) return row;
  const { rows } = seen.history.evaluations.page({ ...visibility(seen, viewer), limit: NAMED_ROWS });
  const latest = rows.map((each) => String(each.id));
  throw new HarborError(
    'unknown_evaluation',
    `No evaluation ${id} of yours or in the history of ${viewer.project}. The latest: ${similarNames(String(id), latest) || 'none'}.`,
  );
}

/** Returns the handles of the sessions that the viewer may use, the last used one first. */
export function sessionIds(sessions: Sessions, { client }: Viewer): string[] {
  return sessions
    .of(client)
    .toSorted((one, other) => other.newestRow - one.newestRow)
    .map(({ id }) => id);
}
