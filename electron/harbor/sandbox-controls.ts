/** Reads and changes the allow-list for the window. Changes are written to the settings file. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CallWatch } from '../access/call-watch';
import { HarborError } from '../contract/errors';
import type { Client } from '../contract/model';
import type {
  AccessVerdict,
  AllowEntry,
  AllowRow,
  FileAccessQuery,
  NewAllowEntry,
  SandboxView,
} from '../contract/sandbox';
import type { SettingsFile } from '../host/settings-file';
import type { Launcher } from '../launchers/launcher';
import type { AllowList, SessionOnlyEntries } from '../sandbox/allow-list';
import { refusal } from '../sandbox/file-policy';
import type { FileGuard } from '../sandbox/guarded-files';

import type { ReadRequests } from '../sandbox/read-requests';
import type { Checkpoints } from '../sessions/recovery/checkpoints';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import type { CurrentProject } from './compose-sessions';

export interface SandboxParts {
  settings: SettingsFile;
  allowList: AllowList;
  /** Read access that the user granted until a session ends. */
  readRequests: ReadRequests;
  /** Entries that apply until the app quits. */
  passing: SessionOnlyEntries;
  files: FileGuard;
  calls: CallWatch;
  launcher: Launcher;
  sessions: Sessions;
  checkpoints: Checkpoints;
  person: Client;
  /** The project whose entries are shown. */
  project: CurrentProject;
}

const RESTARTED = 'it was restarted to apply the allow-list';

export class SandboxControls {
  readonly #parts: SandboxParts;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
  }

  read(): SandboxView {
    const { allowList, readRequests, launcher, sessions, settings } = this.#parts;
    const project = this.#parts.project.folder;
    const idle = settings.current.allowList.filter((entry) => allowList.refusal(entry) !== null);
    const off = idle.map((entry) => ({ ...entry, isDefault: false, problem: allowList.refusal(entry) }));
    return {
      report: launcher.sandbox,
      project,
      network: allowList.confinement(project).network,
      rows: [
        ...[...allowList.rows(project), ...readRequests.rows(project)].map((row) => ({
          ...row,
          problem: null,
        })),
        ...off,
      ],
      secrets: allowList.secrets.filter((secret) => existsSync(secret.path)),
      outdated: sessions.outdated.map(({ id }) => id),
    };
  }

  /**
   * Adds an entry, or restores a default entry that was removed. Refusals of files that are now allowed are
   * dismissed.
   * @throws HarborError `bad_arguments` if the folder would allow too much
   */
  async allow(entry: NewAllowEntry): Promise<void> {
    this.#add(entry);
    const { calls, files } = this.#parts;
    const judged = await Promise.all(
      calls.refusals.map(async ({ id, project, path: file, use }) => {
        const decision = await files.judge(project, file, use).catch(() => null);
        return decision?.allowed ? id : null;
      }),
    );
    calls.settle(({ id }) => judged.includes(id));
  }

  /**
   * Returns whether the file tools may use a file in the shown project, and which entry decides.
   * @throws HarborError `path_not_allowed` for an invalid path
   */
  async wouldUse({ path: file, use }: FileAccessQuery): Promise<AccessVerdict> {
    const project = this.#parts.project.folder;
    const decision = await this.#parts.files.judge(project, file, use);
    if (!decision.allowed)
      return { answer: 'deny', why: refusal(decision, path.resolve(project, file), project, use).message };
    const { folder, reason } = decision.row;
    return { answer: 'allow', why: `Allowed by the entry ${folder}${reason && ` (${reason})`}.` };
  }

  #add({ folder, power, reason, forProject, project: named, lasting }: NewAllowEntry): void {
    const { settings, allowList, passing } = this.#parts;
    const project = forProject ? (named ?? this.#parts.project.folder) : null;
    const at = path.resolve(folder);
    const off = allowList.removedDefaults(this.#parts.project.folder);
    if (off.some((row) => row.folder === at && row.power === power && row.project === project)) {
      settings.change(({ withoutDefaults: without }) => ({
        withoutDefaults: without.filter((each) => each !== at),
      }));
      return;
    }
    const entry: AllowEntry = { folder: at, power, reason, project, addedBy: 'window', addedAt: Date.now() };
    const problem = allowList.refusal(entry);
    if (problem !== null) throw new HarborError('bad_arguments', problem);
    if (lasting)
      settings.change((current) => ({
        allowList: [...current.allowList.filter((each) => !isSame(each, entry)), entry],
      }));
    else passing.add({ ...entry, reason: `${reason || 'no reason given'}; until Lisp Harbor quits` });
  }

  remove(row: AllowRow): void {
    const { settings, readRequests, passing } = this.#parts;
    if (passing.remove(row)) return;
    if (!row.isDefault && readRequests.close(row.project, row.folder)) return;
    settings.change(({ allowList, withoutDefaults }) =>
      row.isDefault
        ? { withoutDefaults: [...withoutDefaults, row.folder] }
        : { allowList: allowList.filter((each) => !isSame(each, row)) },
    );
  }

  shareNetwork(allowed: boolean): void {
    const { settings, project } = this.#parts;
    settings.change(({ networkProjects }) => {
      const others = networkProjects.filter((each) => each !== project.folder);
      return { networkProjects: allowed ? [...others, project.folder] : others };
    });
  }

  /**
   * Restarts the session in a new image with the same state: values that a checkpoint can store are restored,
   * the rest is evaluated again.
   */
  async restart(session: Session): Promise<void> {
    const { checkpoints, person } = this.#parts;
    if (!session.view().checkpoints)
      return session.startAgain({ client: person.key, grant: null }, RESTARTED);
    const requester = { client: person, grant: null };
    await checkpoints.restore(session, await checkpoints.save(session, requester), requester, {
      discard: true,
    });
  }
}

function isSame(
  a: Pick<AllowEntry, 'folder' | 'project'>,
  b: Pick<AllowEntry, 'folder' | 'project'>,
): boolean {
  return a.folder === b.folder && a.project === b.project;
}
