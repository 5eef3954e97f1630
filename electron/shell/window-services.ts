/** The services behind the window, as the harbor composed them, and the dialogs that the shell shows for them. */
import type { Approvals } from '../access/approvals';
import type { CallWatch } from '../access/call-watch';
import type { ClientProfiles } from '../access/client-profiles';
import type { IssuedToken, Tokens } from '../access/tokens';
import type { Connect } from '../connect/install';
import type { MenuCommand } from '../contract/commands';
import type { HarborStatus } from '../contract/harbor-status';
import type { Installable } from '../contract/installable';
import type { Client } from '../contract/model';
import type { SwankView } from '../contract/ports';
import type { Settings, SettingsChange } from '../contract/settings';
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
import type { WindowEvents } from './ipc';
import type { Needs } from './needs';
import type { SandboxControls } from './sandbox-calls';
import type { Updates } from './updates';

/** What a person has files written with, on record as an agent's calls are. */
export interface WrittenByPerson {
  /** Answers the real path of the file. @throws HarborError as the tool `write_file` */
  definitions(session: Session, path: string, names: readonly string[]): Promise<string>;
  /** @throws HarborError `hash_mismatch`, `file_missing` */
  putBack(session: Session, path: string, kept: number, hash: string): Promise<void>;
  /** Of a file that was not there before; what it holds is kept in the history. @throws HarborError as `putBack` */
  remove(session: Session, path: string, hash: string): Promise<void>;
}

export interface WindowServices {
  /** The person at the window. */
  person: Client;
  sessions: Sessions;
  checkpoints: Checkpoints;
  listeners: Listeners;
  history: History;
  changes: SessionChanges;
  written: WrittenByPerson;
  sessionLogs: SessionLogs;
  /** A conversation of MCP with the harbor itself, as a client of that key. */
  converse: (client: string) => Promise<LocalMcp>;
  /** Where the harbor's log lies. */
  logFolder: string;
  /** Shows a folder in the system's file manager. @throws HarborError `internal` */
  openFolder: (folder: string) => Promise<void>;
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  connect: Connect;
  swank: {
    start: (session: string) => Promise<SwankView>;
    stop: (session: string) => Promise<string[]>;
  };
  rotateToken: (id: number) => Promise<IssuedToken>;
  revokeToken: (id: number) => Promise<void>;
  /** Opens an address of another program, which asks its person. */
  openLink: (address: string) => Promise<void>;
  status: () => Promise<HarborStatus>;
  /** Looks anew for what is installed. */
  look: () => Promise<Installable | null>;
  /** Listens on a free port where the one that was wanted is taken. */
  listen: () => Promise<void>;
  project: () => string;
  settings: SettingsFile;
  /** Changes them for a person, who may choose another project with it. */
  changeSettings: (change: SettingsChange) => Settings;
  /** Shows the folder dialog; null when the person cancelled. */
  chooseProject: () => Promise<string | null>;
  saveText: SaveText;
  sandbox: SandboxControls;
  approvals: Approvals;
  calls: CallWatch;
  needs: Needs;
  updates: Updates;
  /** What the page tells of the output that it was sent. */
  output: Pick<WindowEvents, 'begin' | 'taken'>;
  /** Puts the page's commands into the application menu. */
  showCommands: (commands: readonly MenuCommand[]) => void;
  /** Shows the folder dialog for the allow-list; null when the person cancelled. */
  chooseFolder: () => Promise<string | null>;
  /** Makes the folder the project of new sessions; answers it as it is known from now on. */
  approveProject: (folder: string) => string;
}
