/** What a person can do next: open a project again, choose or drop another. */
import { Folder, FolderInput } from 'lucide-react';
import { useSettings } from '../bridge-queries';
import { Button } from '../parts/button';
import { count, engineTitle, shortenPath } from '../parts/format';
import { Row, Rows } from '../parts/rows';
import { RelativeTime } from '../parts/time';
import { useCommand, useLive, useServices } from '../services';
import { recentProjects } from './recent-projects';

/** Characters of a path. */
const SHOWN_PATH = 56;

export function GoOn({ now }: { now: number }) {
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
    <Rows title="Go on">
      <ul>
        {projects.map(({ folder, engines, open, asleep, usedAt }) => (
          <Row
            key={folder}
            icon={Folder}
            title={<b title={folder}>{shortenPath(folder, SHOWN_PATH)}</b>}
            about={
              <>
                {open === 0
                  ? 'no session'
                  : `${engines.map(engineTitle).join(', ')} · ${count(open, 'session')}`}
                {asleep > 0 && `, ${asleep} asleep`}
                {usedAt !== null && (
                  <>
                    {' '}
                    · <RelativeTime at={usedAt} now={now} />
                  </>
                )}
                {folder === current && ' · new sessions work here'}
              </>
            }
          >
            <Button
              isDisabled={opening !== null}
              onPress={() => void actions.opener.openProject(folder)}
              aria-label={`Open a session in ${shortenPath(folder, SHOWN_PATH)}`}
            >
              Open
            </Button>
          </Row>
        ))}
        <Row icon={FolderInput} title="Another folder" about="Drop it on this window, or choose it.">
          <Button onPress={choose.run}>{choose.title}</Button>
        </Row>
      </ul>
    </Rows>
  );
}
