/** The services that window calls use, and the dialogs that the shell provides. */
import type { Approvals } from '../access/approvals';
import type { CallWatch } from '../access/call-watch';
import type { ClientProfiles } from '../access/client-settings';
import type { IssuedToken, Tokens } from '../access/tokens';
import type { Connect } from '../connect/install';
import type { ApplicationView } from '../contract/application';
import type { MenuCommand } from '../contract/harbor-calls';
import type { EditorPortView, EditorProtocol, HarborStatus, Installable } from '../contract/harbor-status';
import type { Client, Evaluation } from '../contract/model';
import type {
  AccessVerdict,
  AllowRow,
  FileAccessQuery,
  NewAllowEntry,
  SandboxView,
} from '../contract/sandbox';
import type { Settings, SettingsChange } from '../contract/settings';
import type { SourceFolder, SourceGroups, SourceText, SourceVersions } from '../contract/source-files';
import type { History } from '../history/history';
import type { LocalMcp } from '../host/local-mcp';
import type { SettingsFile } from '../host/settings-file';
import type { SessionChanges } from '../sessions/changes/session-changes';
import type { Listeners } from '../sessions/listeners';
import type { Checkpoints } from '../sessions/recovery/checkpoints';
import type { Session } from '../sessions/session/session';
import type { SessionLogs } from '../sessions/session-logs';
import type { Sessions } from '../sessions/sessions';
import type { SaveText } from './export-session';
import type { AppearedPlaces, Needs } from './needs';
import type { Updates } from './updates';
import type { WindowEvents } from './window-events';

/** File writes by the user, recorded like those of agents. */
export interface WrittenByPerson {
  /**
   * Writes definitions to a file. Returns its real path. @throws HarborError as the tool `write_file`
   * @param over the hash of a file whose newer definitions the user agreed to replace
   */
  definitions(session: Session, path: string, names: readonly string[], over?: string): Promise<string>;
  /** Restores earlier content. @throws HarborError `hash_mismatch`, `file_missing` */
  restore(session: Session, path: string, earlierContent: number, hash: string): Promise<void>;
  /**
   * Removes a file that did not exist before; its content is saved in the history. @throws HarborError as
   * `restore`
   */
  remove(session: Session, path: string, hash: string): Promise<void>;
}

/** Source files as the user reads, writes and compiles them. Errors are those of the window calls `source:…`. */
export interface SourcesOfProject {
  folder(project: string, folder: string): Promise<SourceFolder>;
  groups(project: string): Promise<SourceGroups>;
  read(project: string, path: string): Promise<SourceText>;
  write(
    place: { project: string; session?: string | undefined },
    file: { path: string; text: string; hash: string | null },
  ): Promise<SourceText>;
  versions(project: string, path: string, session: Session | null): Promise<SourceVersions>;
  find(project: string, name: string): Promise<{ path: string; line: number }[]>;
  compile(session: Session, code: { code: string; package?: string | undefined }): Promise<Evaluation>;
  load(session: Session, path: string): Promise<Evaluation>;
  /** @param editor the command line of the settings; undefined without one */
  edit(project: string, path: string, line: number, editor: string | undefined): Promise<void>;
  expand(
    session: Session,
    code: { code: string; package?: string | undefined },
    extent: 'once' | 'full',
  ): Promise<{ expansion: string } | { problem: string }>;
}

/** Changes of the user to the sandbox rules. */
export interface SandboxControls {
  read(): SandboxView;
  /** @throws HarborError `bad_arguments` */
  allow(entry: NewAllowEntry): Promise<void>;
  /** @throws HarborError `path_not_allowed` */
  wouldUse(question: FileAccessQuery): Promise<AccessVerdict>;
  remove(row: AllowRow): void;
  shareNetwork(allowed: boolean): void;
  restart(session: Session): Promise<void>;
}

/** The applications of the settings. */
interface ApplicationControls {
  views(): ApplicationView[];
  /** @throws HarborError `bad_arguments` */
  start(project: string): Promise<void>;
  stop(project: string): Promise<void>;
}

export interface WindowServices {
  /** The user at the window. */
  person: Client;
  sessions: Sessions;
  checkpoints: Checkpoints;
  listeners: Listeners;
  history: History;
  changes: SessionChanges;
  written: WrittenByPerson;
  sources: SourcesOfProject;
  sessionLogs: SessionLogs;
  /** Opens an MCP conversation with the harbor itself, as the client of that key. */
  converse: (client: string) => Promise<LocalMcp>;
  /** Folder of the harbor's log. */
  logFolder: string;
  /** Shows a folder in the file manager. @throws HarborError `internal` */
  openFolder: (folder: string) => Promise<void>;
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  connect: Connect;
  /** The ports for editors. */
  ports: Readonly<
    Record<
      EditorProtocol,
      {
        open: (session: string) => Promise<EditorPortView>;
        stop: (session: string) => Promise<{ threads: string[] }>;
      }
    >
  >;
  applications: ApplicationControls;
  rotateToken: (id: number) => Promise<IssuedToken>;
  revokeToken: (id: number) => Promise<void>;
  /** Opens a link of another program, which asks its user. */
  openLink: (address: string) => Promise<void>;
  status: () => Promise<HarborStatus>;
  /** Searches for installed engines again. */
  look: () => Promise<Installable | null>;
  /** Listens on a free port if the configured port is in use. */
  listen: () => Promise<void>;
  project: () => string;
  settings: SettingsFile;
  /** Applies a change of settings by the user, which may include another project. */
  changeSettings: (change: SettingsChange) => Settings;
  /** Shows the folder dialog; null if the user cancels. */
  chooseProject: () => Promise<string | null>;
  saveText: SaveText;
  sandbox: SandboxControls;
  approvals: Approvals;
  calls: CallWatch;
  projectWatch: AppearedPlaces;
  needs: Needs;
  updates: Updates;
  /** Receives confirmations of shown output. */
  output: Pick<WindowEvents, 'begin' | 'taken'>;
  /** Shows the page's commands in the application menu. */
  showCommands: (commands: readonly MenuCommand[]) => void;
  /** Shows the folder dialog for the allow-list; null if the user cancels. */
  chooseFolder: () => Promise<string | null>;
  /** Makes the folder the project of new sessions. Returns its canonical path. */
  approveProject: (folder: string) => string;
}
