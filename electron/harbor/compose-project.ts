/** Which folders may be projects here, and the one that sessions get which name none. */
import { homedir, tmpdir } from 'node:os';
import { asFailure } from '../contract/errors';
import type { Settings } from '../contract/settings';
import type { DataFolder } from '../host/data-folder';
import type { Log } from '../host/log';
import type { SettingsFile } from '../host/settings-file';
import { Projects } from '../sandbox/projects';

export interface ProjectDependencies {
  options: { kind: 'app' | 'headless'; project: string | undefined };
  folder: DataFolder;
  settings: SettingsFile;
  log: Log;
}

/** The project of sessions that name none; `folder` is approved. */
export interface CurrentProject {
  folder: string;
}

export interface ComposedProject {
  projects: Projects;
  project: CurrentProject;
  /** Why it is not the one that was to be expected. */
  notice: string | null;
}

/** @throws HarborError `project_not_approved` when the option names a folder that can be no project */
export function composeProject({ options, folder, settings, log }: ProjectDependencies): ComposedProject {
  const project: CurrentProject = { folder: folder.scratch };
  const projects = new Projects({
    approved: () => [project.folder, ...settings.current.projects],
    home: homedir(),
    dataFolder: folder.root,
    temporaryFolders: [tmpdir()],
  });
  const notice = begin(project, projects, options, settings.current);
  // Without a window nobody has chosen what the settings say.
  if (options.kind === 'app')
    settings.on('changed', ({ project: chosen }, names) => {
      if (names.has('project') && chosen !== undefined) follow(project, projects, chosen, log);
    });
  return { projects, project, notice };
}

/**
 * The option, then what a person chose in the window, then the working directory. One that can be no project is no reason
 * to stop: `scratch` serves, and what is answered says so.
 */
function begin(
  current: CurrentProject,
  projects: Projects,
  { kind, project }: ProjectDependencies['options'],
  settings: Settings,
): string | null {
  const usual = (kind === 'app' ? settings.project : undefined) ?? process.env.INIT_CWD ?? process.cwd();
  try {
    current.folder = projects.approve(project ?? usual);
    return null;
  } catch (error) {
    if (project !== undefined) throw error;
    return `${asFailure(error).message} Sessions work in ${current.folder} until a project is chosen.`;
  }
}

/** What was chosen in the window has been approved; what somebody wrote into the settings file may be refused. */
function follow(current: CurrentProject, projects: Projects, chosen: string, log: Log): void {
  try {
    current.folder = projects.approve(chosen);
  } catch (error) {
    log.warn(`The project of the settings file is not taken: ${asFailure(error).message}`);
  }
}
