/** The folders that a person approved, with a mark at the one that new sessions work in. */
import { X } from 'lucide-react';
import { Button, IconButton } from '../parts/button';
import { shortenPath } from '../parts/format';
import { useCommand, useServices, useWords } from '../services';
import styles from './named-list.module.css';

export function Projects({
  projects,
  current,
}: {
  projects: readonly string[];
  current: string | undefined;
}) {
  const words = useWords();
  const { actions } = useServices();
  const choose = useCommand('project:choose');
  return (
    <>
      {projects.length > 0 && (
        <ul className={styles.list} aria-label={words.settings.projects}>
          {projects.map((project) => (
            <li key={project}>
              <code title={project}>{shortenPath(project, 56)}</code>
              {project === current && <span className={styles.current}>{words.settings.newSessions}</span>}
              <IconButton
                icon={X}
                label={words.common.remove(project)}
                onPress={() =>
                  void actions.changeSettings({
                    projects: projects.filter((other) => other !== project),
                    ...(project === current && { project: undefined }),
                  })
                }
              />
            </li>
          ))}
        </ul>
      )}
      <Button onPress={choose.run}>{choose.title}</Button>
    </>
  );
}
