/**
 * Connects other programs to this harbor: writes an entry in their configuration, records the previous state,
 * and undoes it.
 */

import { hash } from 'node:crypto';
import type {
  ConnectDiagnosis,
  ConnectPreview,
  ConnectRequest,
  ConnectView,
  TransportKind,
} from '../contract/clients';
import { HarborError } from '../contract/errors';
import type { Scope } from '../contract/model';
import { fingerprint } from '../host/json';
import {
  type ClientInstallation,
  entryOf,
  type FoundConfigFile,
  findConfigFile,
  isAsWritten,
  isFreeOfEntry,
  type Reading,
  readingOf,
  targetOf,
  withEntry,
  withoutEntry,
} from './client-installation';
import { deleteFile, readSnapshot, replaceFile } from './config-file';
import { type ViewFacts, viewByHand, viewOf, viewOfUnreadable } from './explain';
import type { DraftToken, HarborServices, RequestedChoice } from './harbor-services';
import { changedLines } from './merge';
import type { ClientProgram, ComputerFacts } from './programs/client-program';
import { CLIENT_PROGRAMS, claudeDesktop, programNamed } from './programs/table';
import { type Before, type InstallRecord, inTurnAt, RecordStore } from './record-store';
import type { StdioCommand, Transport } from './transport';

export interface ConnectOptions {
  /** Folder of records and backups. */
  folder: string;
  version: string;
  /** Folder of the locks of all harbors of this user. */
  locks: string;
  environment: Omit<ComputerFacts, 'packages'>;
  /** Returns the command for the client of this name. */
  stdioCommand(client: string): StdioCommand;
  harbor: HarborServices;
}

/** Scopes of a client for which none were chosen. */
const USUAL_SCOPES: readonly Scope[] = ['read', 'evaluate'];

/** Placeholder in a preview for a token that is not issued yet. */
const COMING_TOKEN = 'lh_…';

/**
 * Connects client programs. Calls that list, preview or edit configurations run one after the other, so that
 * no two edits of one file overlap.
 */
export class Connect {
  readonly #options: ConnectOptions;
  readonly #records: RecordStore;
  readonly #writer: EntryWriter;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ConnectOptions) {
    this.#options = options;
    this.#records = new RecordStore(options.folder);
    this.#writer = new EntryWriter(this.#records);
  }

  /**
   * Returns all known programs, installed or not.
   * @param project folder of a project, for programs with project files; undefined: the user’s own files
   */
  list(project?: string): Promise<ConnectView[]> {
    const programs = CLIENT_PROGRAMS.filter((program) => project === undefined || program.project);
    return this.#inTurn(() => Promise.all(programs.map((program) => this.#view(program, project))));
  }

  /** Returns what `add` or `remove` would change. @throws as they do */
  preview(name: string, action: 'add' | 'remove', request: ConnectRequest = {}): Promise<ConnectPreview> {
    return this.#inTurn(async () => {
      const program = programNamed(name);
      if (action === 'add') this.#check(program, request);
      const reading = await this.#read(program, request, () => COMING_TOKEN);
      const after = action === 'add' ? withEntry(reading) : (await this.#writer.undo(reading)).bytes;
      const { file } = reading.path;
      return { file, diff: changedLines(file, reading.snapshot.bytes, after) };
    });
  }

  /**
   * Writes or updates our entry. A correct entry is not changed. The choice for the client is stored. For a
   * program without a file the view contains the text to paste. @throws HarborError `client_unknown`,
   * `bad_arguments`, `not_supported`, `config_unreadable`, `config_foreign`, `config_unwritable`,
   * `data_folder_unusable`; then the file is unchanged
   */
  add(name: string, request: ConnectRequest = {}): Promise<ConnectView> {
    return this.#inTurn(async () => {
      const program = programNamed(name);
      this.#check(program, request);
      if (program.paths || request.project !== undefined)
        await this.#atFile(program, request.project, () => this.#add(program, request));
      else this.#addByHand(program, request);
      return this.#view(program, request.project);
    });
  }

  /**
   * Removes our entry and revokes its token. A file that was not changed since gets its old bytes back, or is
   * deleted if it did not exist; from any other only the entry is removed. @throws as `add`
   */
  remove(name: string, project?: string): Promise<ConnectView> {
    return this.#inTurn(async () => {
      const program = programNamed(name);
      await this.#atFile(program, project, async () => {
        const reading = await this.#read(program, { project });
        if (reading.found?.kind === 'http') this.#options.harbor.require();
        if (reading.entry !== undefined) await this.#writer.removeEntryFrom(reading);
        await this.#records.forget(program.name, reading.path.file);
        if (reading.found?.kind === 'http') await this.#options.harbor.tokens.revoke(reading.found.token);
      });
      return this.#view(program, project);
    });
  }

  /**
   * Returns a link with which the program asks its user to add the entry. @throws HarborError
   * `client_unknown`, `not_supported`
   */
  async link(name: string): Promise<string> {
    const program = programNamed(name);
    const link = program.link?.(program.notation.stdio(this.#options.stdioCommand(name)));
    if (link !== undefined) return link;
    throw new HarborError('not_supported', `${program.title} has no such links. Connect it here.`);
  }

  /** Returns an `.mcpb`, which Claude Desktop installs when it is opened. @throws HarborError `internal` */
  async bundle(): Promise<Buffer> {
    const { environment, version, stdioCommand } = this.#options;
    const { buildBundle } = await import('./bundle');
    return buildBundle({
      version,
      platform: environment.platform,
      command: stdioCommand(claudeDesktop.name),
    });
  }

  /** Returns the command of a stdio client. */
  command(client: string): StdioCommand {
    return this.#options.stdioCommand(client);
  }

  /** Stores the choice for a client. @throws HarborError `bad_arguments` */
  choose(client: string, choice: RequestedChoice): string | null {
    const { choices } = this.#options.harbor;
    choices.choose(client, choice);
    return choices.of(client).profile;
  }

  /** Tests the entry with the program’s own handshake. @throws HarborError `client_unknown` */
  async diagnose(name: string, project?: string): Promise<ConnectDiagnosis> {
    const program = programNamed(name);
    // Loaded on demand, because it contains a whole MCP client.
    const { diagnose } = await import('./doctor');
    return diagnose(program, () => this.#read(program, { project }), this.#options.environment.platform);
  }

  async #add(program: ClientProgram, request: ConnectRequest): Promise<void> {
    const { tokens, choices } = this.#options.harbor;
    const scopes = request.choice?.scopes ?? choices.of(program.name).scopes ?? USUAL_SCOPES;
    let draft: DraftToken | undefined;
    const reading = await this.#read(program, request, () => {
      draft ??= tokens.draft(program.name, scopes);
      return draft.token;
    });
    const bytes = withEntry(reading);
    const choose = () => choices.choose(program.name, request.choice ?? {});
    if (reading.snapshot.bytes?.equals(bytes)) return choose();
    await this.#writer.write(reading, bytes, async () => {
      choose();
      await draft?.put();
    });
    if (reading.found?.kind === 'http' && reading.wanted.kind === 'stdio')
      await tokens.revoke(reading.found.token);
  }

  /** Prepares everything but the entry, which the user pastes. */
  #addByHand(program: ClientProgram, { transport, newToken, choice = {} }: ConnectRequest): void {
    refuseNewToken(newToken, transport ?? 'stdio');
    this.#options.harbor.choices.choose(program.name, choice);
  }

  async #view(program: ClientProgram, project: string | undefined): Promise<ConnectView> {
    const facts = this.#facts(program);
    if (!program.paths) return viewByHand(program, facts);
    const installation = await this.#installation(program, await this.#findConfigFile(program, project));
    try {
      const snapshot = await readSnapshot(installation.path.file, project);
      return viewOf(readingOf(installation, snapshot, this.#wantedFor(program, { project })), facts);
    } catch (error) {
      if (!(error instanceof HarborError) || error.code !== 'config_unreadable') throw error;
      return viewOfUnreadable(installation, facts, error.message);
    }
  }

  #facts({ name }: ClientProgram): ViewFacts {
    const { environment, harbor, stdioCommand } = this.#options;
    return {
      platform: environment.platform,
      stdio: stdioCommand(name),
      address: harbor.address(),
      choice: harbor.choices.of(name),
    };
  }

  /**
   * Reads the file before anything else, so that a change meanwhile is noticed.
   * @param fresh returns a new token for an entry that needs one
   */
  async #read(program: ClientProgram, request: ConnectRequest, fresh = noToken): Promise<Reading> {
    const location = await this.#findConfigFile(program, request.project);
    const snapshot = await readSnapshot(location.path.file, request.project);
    const installation = await this.#installation(program, location);
    return readingOf(installation, snapshot, this.#wantedFor(program, request, fresh));
  }

  /**
   * Returns the transport of the entry: the requested kind, else the current one. An address in the file counts
   * only if we wrote it, or if it has a valid token.
   */
  #wantedFor(program: ClientProgram, { transport, newToken, project }: ConnectRequest, fresh = noToken) {
    const { harbor, stdioCommand } = this.#options;
    return (found: Transport | undefined, isRecorded: boolean): Transport => {
      const address = found?.kind === 'http' && project === undefined ? found : null;
      const isValid = address !== null && harbor.tokens.isInForce(address.token, program.name);
      const known = isRecorded || isValid ? address : null;
      const kind: TransportKind = transport ?? known?.kind ?? 'stdio';
      refuseNewToken(newToken, kind);
      if (kind === 'stdio') return { kind, ...stdioCommand(program.name) };
      const token = known && isValid && !newToken ? known.token : fresh();
      return { kind, url: harbor.address() ?? known?.url ?? '', token };
    };
  }

  async #installation(program: ClientProgram, location: FoundConfigFile): Promise<ClientInstallation> {
    return { program, ...location, record: await this.#records.read(program.name, location.path.file) };
  }

  #findConfigFile(program: ClientProgram, project: string | undefined): Promise<FoundConfigFile> {
    return findConfigFile(program, this.#options.environment, project);
  }

  async #atFile<T>(program: ClientProgram, project: string | undefined, work: () => Promise<T>): Promise<T> {
    const { path: location } = await this.#findConfigFile(program, project);
    return inTurnAt(this.#options.locks, location.file, work);
  }

  /** @throws HarborError if part of the request would have no effect */
  #check(program: ClientProgram, { transport, project, choice, newToken }: ConnectRequest): void {
    const takesHttp = (project === undefined ? program : program.project)?.notation.http !== undefined;
    if (transport === 'http' && !takesHttp)
      throw new HarborError(
        'not_supported',
        `${program.title} starts its servers and accepts no address. Connect it without --http.`,
      );
    if (transport === 'http' && project !== undefined)
      throw new HarborError(
        'not_supported',
        'A project’s file is shared with everyone who has the project, so no token is written to it. Connect it without --http.',
      );
    if (transport === 'http' || newToken || choice) this.#options.harbor.require();
    if (transport === 'http' && this.#options.harbor.address() === null)
      throw new HarborError('not_supported', 'The harbor does not listen for HTTP. Start it with --port N.');
    this.#options.harbor.choices.check(choice ?? {});
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** @throws HarborError `bad_arguments` */
function refuseNewToken(newToken: boolean | undefined, kind: TransportKind): void {
  if (newToken && kind === 'stdio')
    throw new HarborError('bad_arguments', 'Only a program with an address has a token. Add --http.');
}

function noToken(): string {
  return '';
}

class EntryWriter {
  readonly #records: RecordStore;

  constructor(records: RecordStore) {
    this.#records = records;
  }

  /**
   * Writes an entry. The record is written first, because without it the change could not be undone; it is
   * reverted if the write fails.
   * @param then work that must succeed after the write; if it fails, the file gets its old bytes back
   */
  async write(reading: Reading, bytes: Buffer, then: () => Promise<void>): Promise<void> {
    const { path: location, program, record, snapshot } = reading;
    const origin = await this.#origin(reading);
    try {
      await this.#records.write({
        version: 2,
        client: program.name,
        file: location.file,
        writtenAt: Date.now(),
        entry: fingerprint(entryOf(reading)),
        after: hash('sha256', bytes),
        ...origin,
      });
      await replaceFile(snapshot, bytes);
      await this.#orBack(reading, then);
    } catch (error) {
      await (record ? this.#records.write(record) : this.#records.forget(program.name, location.file));
      if (origin.before !== record?.before) await this.#records.discard(origin.before);
      throw error;
    }
  }

  async #orBack({ snapshot, path: location }: Reading, then: () => Promise<void>): Promise<void> {
    try {
      await then();
    } catch (error) {
      const written = await readSnapshot(location.file, location.project);
      if (snapshot.bytes) await replaceFile(written, snapshot.bytes);
      else await deleteFile(written, snapshot.missingFolder);
      throw error;
    }
  }

  /**
   * Returns the file’s state before our entry: from the record if the file is unchanged since we wrote it,
   * else the current state.
   */
  async #origin(reading: Reading): Promise<Pick<InstallRecord, 'before' | 'madeServers'>> {
    const { entry, program, kind, record, snapshot, text } = reading;
    if (record && isAsWritten(reading)) return { before: record.before, madeServers: record.madeServers };
    const { bytes, missingFolder } = snapshot;
    const before: Before = bytes
      ? {
          existed: true,
          sha256: hash('sha256', bytes),
          backup: await this.#records.backUp(program.name, bytes),
        }
      : { existed: false, ...(missingFolder !== undefined && { madeFolder: missingFolder }) };
    const madeServers =
      entry === undefined ? !kind.format.hasServers(text, targetOf(reading)) : (record?.madeServers ?? false);
    return { before, madeServers };
  }

  async removeEntryFrom(reading: Reading): Promise<void> {
    const { program, record, snapshot } = reading;
    const { bytes, exact } = await this.undo(reading);
    if (!exact && snapshot.bytes) await this.#records.backUp(program.name, snapshot.bytes);
    if (bytes) await replaceFile(snapshot, bytes);
    else await deleteFile(snapshot, record?.before.existed === false ? record.before.madeFolder : undefined);
    if (exact && record) await this.#records.discard(record.before);
  }

  /** Returns the file without our entry. `exact`: these are the original bytes, or the file did not exist. */
  async undo(reading: Reading): Promise<{ bytes: Buffer | null; exact: boolean }> {
    const { record } = reading;
    if (record && isAsWritten(reading)) {
      if (!record.before.existed) return { bytes: null, exact: true };
      const bytes = await this.#records.backedUp(record.before);
      if (bytes && isFreeOfEntry(reading, bytes)) return { bytes, exact: true };
    }
    return { bytes: withoutEntry(reading), exact: false };
  }
}
