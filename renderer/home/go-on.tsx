/** What a person can do next: open a project again, choose or drop another. */
import { Folder, FolderInput } from 'lucide-react';
import { useSettings } from '../bridge-queries';
import { Button } from '../parts/button';
import { engineTitle, shortenPath } from '../parts/format';
import { Row, Rows } from '../parts/rows';
import { RelativeTime } from '../parts/time';
import { useCommand, useLive, useServices, useWords } from '../services';
import { recentProjects } from './recent-projects';

/** Characters of a path. */
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
