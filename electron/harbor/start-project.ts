/** The project a harbor starts with: the option, then what a person chose in the window, then the working directory. */
import { asFailure } from '../contract/errors';
import type { Settings } from '../contract/settings';
import type { Projects } from '../sandbox/projects';

/** A working directory that can be no project is no reason to stop: `scratch` serves, and `notice` says so.
 * @throws HarborError `project_not_approved` when the option itself names such a folder */
export function startProject(
  { project, kind }: { project: string | undefined; kind: 'app' | 'headless' },
  settings: Settings,
  projects: Projects,
  scratch: string,
): { project: string; notice: string | null } {
  if (project !== undefined) return { project: projects.approve(project), notice: null };
  const folder = (kind === 'app' ? settings.project : undefined) ?? process.env.INIT_CWD ?? process.cwd();
  try {
    return { project: projects.approve(folder), notice: null };
  } catch (error) {
    return {
      project: scratch,
      notice: `${asFailure(error).message} Sessions work in ${scratch} until a project is chosen.`,
    };
  }
}
