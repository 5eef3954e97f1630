/** Connects other programs to this harbor: writes their configuration, remembers how it was, and undoes it. */

import type {
  ConnectAsked,
  ConnectDiagnosis,
  ConnectPreview,
  ConnectView,
  TransportKind,
} from '../contract/connections';
import { HarborError } from '../contract/errors';
import type { Scope } from '../contract/model';
import { changedLines } from './changed-lines';
import { readSnapshot } from './config-file';
import { EntryWriter } from './entry-writer';
import { type Told, viewByHand, viewOf, viewOfUnreadable } from './explain';
import { inTurnAt } from './file-turn';
import type { ChoiceAsked, DraftToken, HarborSide } from './harbor-side';
import { type Located, located } from './located';
import { claudeDesktop } from './programs/claude';
import type { ClientProgram, ComputerFacts } from './programs/client-program';
import { CLIENT_PROGRAMS, programNamed } from './programs/table';
import { RecordStore } from './record-store';
import { type Reading, readingOf, type Site, withEntry } from './site';
import type { StdioCommand } from './stdio-command';
import type { Transport } from './transport';

export interface ConnectOptions {
  /** Where records and backups are kept. */
  folder: string;
  version: string;
  /** Where locks are, of all harbors of this user. */
  locks: string;
  environment: Omit<ComputerFacts, 'packages'>;
  /** The command that the client of this name shall run. */
  stdioCommand(client: string): StdioCommand;
  harbor: HarborSide;
}

/** What a client may do for whom nobody has chosen anything else. */
const USUAL_SCOPES: readonly Scope[] = ['read', 'evaluate'];

/** In a preview, for the token that will be made. */
const COMING_TOKEN = 'lh_…';

/** Every method waits for the one before, so that no two edits of ours meet in a file. */
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
   * All programs of the table, whether they are installed or not.
   * @param project the folder whose files are meant, of the programs that have such; undefined: those of this user
   */
  list(project?: string): Promise<ConnectView[]> {
    const programs = CLIENT_PROGRAMS.filter((program) => project === undefined || program.project);
    return this.#inTurn(() => Promise.all(programs.map((program) => this.#view(program, project))));
  }

  /** What `add` or `remove` would do; refuses as they would. */
  preview(name: string, action: 'add' | 'remove', asked: ConnectAsked = {}): Promise<ConnectPreview> {
    return this.#inTurn(async () => {
      const program = programNamed(name);
      if (action === 'add') this.#check(program, asked);
      const reading = await this.#read(program, asked, () => COMING_TOKEN);
      const after = action === 'add' ? withEntry(reading) : (await this.#writer.undo(reading)).bytes;
      const { file } = reading.place;
      return { file, diff: changedLines(file, reading.snapshot.bytes, after) };
    });
  }

  /**
   * Writes our entry, or refreshes it; an entry that is right is left alone. What is chosen for the client holds from then
   * on. Of a program without a file the view has what a person pastes. HarborError `client_unknown`, `bad_arguments`, `not_supported`, `config_unreadable`, `config_foreign`,
   * `config_unwritable`, `data_folder_unusable`: the file is then as it was.
   */
  add(name: string, asked: ConnectAsked = {}): Promise<ConnectView> {
    return this.#inTurn(async () => {
      const program = programNamed(name);
      this.#check(program, asked);
      if (program.places || asked.project !== undefined)
        await this.#atFile(program, asked.project, () => this.#add(program, asked));
      else this.#addByHand(program, asked);
      return this.#view(program, asked.project);
    });
  }

  /**
   * Takes our entry out, and its token out of force. A file that nobody touched since gets its old bytes back, or is deleted
   * when there was none; from any other only the entry is cut. Refuses like `add`.
   */
  remove(name: string, project?: string): Promise<ConnectView> {
    return this.#inTurn(async () => {
      const program = programNamed(name);
      await this.#atFile(program, project, async () => {
        const reading = await this.#read(program, { project });
        if (reading.found?.kind === 'http') this.#options.harbor.require();
        if (reading.entry !== undefined) await this.#writer.takeOut(reading);
        await this.#records.forget(program.name, reading.place.file);
        if (reading.found?.kind === 'http') await this.#options.harbor.tokens.revoke(reading.found.token);
      });
      return this.#view(program, project);
    });
  }

  /** The address that has the program ask its person for the entry. @throws HarborError `client_unknown`, `not_supported` */
  async link(name: string): Promise<string> {
    const program = programNamed(name);
    const link = program.link?.(program.notation.stdio(this.#options.stdioCommand(name)));
    if (link !== undefined) return link;
    throw new HarborError('not_supported', `${program.title} has no such links. Connect it here.`);
  }

  /** What Claude Desktop installs when it is opened, an `.mcpb`. @throws HarborError `internal` */
  async bundle(): Promise<Buffer> {
    const { environment, version, stdioCommand } = this.#options;
    const { bundled } = await import('./bundle');
    return bundled({ version, platform: environment.platform, command: stdioCommand(claudeDesktop.name) });
  }

  /** What a client runs that speaks over stdio. */
  command(client: string): StdioCommand {
    return this.#options.stdioCommand(client);
  }

  /** What a client is served from now on. @throws HarborError `bad_arguments` */
  choose(client: string, choice: ChoiceAsked): string | null {
    const { choices } = this.#options.harbor;
    choices.choose(client, choice);
    return choices.of(client).profile;
  }

  /** The program's own handshake by its entry. @throws HarborError `client_unknown` */
  async diagnose(name: string, project?: string): Promise<ConnectDiagnosis> {
    const program = programNamed(name);
    // Few ever need it, and it brings a whole client of MCP.
    const { diagnosed } = await import('./doctor');
    return diagnosed(program, () => this.#read(program, { project }), this.#options.environment.platform);
  }

  async #add(program: ClientProgram, asked: ConnectAsked): Promise<void> {
    const { tokens, choices } = this.#options.harbor;
    const scopes = asked.choice?.scopes ?? choices.of(program.name).scopes ?? USUAL_SCOPES;
    let draft: DraftToken | undefined;
    const reading = await this.#read(program, asked, () => {
      draft ??= tokens.draft(program.name, scopes);
      return draft.token;
    });
    const bytes = withEntry(reading);
    const choose = () => choices.choose(program.name, asked.choice ?? {});
    if (reading.snapshot.bytes?.equals(bytes)) return choose();
    await this.#writer.write(reading, bytes, async () => {
      choose();
      await draft?.put();
    });
    if (reading.found?.kind === 'http' && reading.wanted.kind === 'stdio')
      await tokens.revoke(reading.found.token);
  }

  /** Its person pastes the entry; the rest is done. */
  #addByHand(program: ClientProgram, { transport, newToken, choice = {} }: ConnectAsked): void {
    refuseNewToken(newToken, transport ?? 'stdio');
    this.#options.harbor.choices.choose(program.name, choice);
  }

  async #view(program: ClientProgram, project: string | undefined): Promise<ConnectView> {
    const told = this.#told(program);
    if (!program.places) return viewByHand(program, told);
    const site = await this.#site(program, await this.#located(program, project));
    try {
      const snapshot = await readSnapshot(site.place.file);
      return viewOf(readingOf(site, snapshot, this.#wantedFor(program, {})), told);
    } catch (error) {
      if (!(error instanceof HarborError) || error.code !== 'config_unreadable') throw error;
      return viewOfUnreadable(site, told, error.message);
    }
  }

  #told({ name }: ClientProgram): Told {
    const { environment, harbor, stdioCommand } = this.#options;
    return {
      platform: environment.platform,
      stdio: stdioCommand(name),
      address: harbor.address(),
      choice: harbor.choices.of(name),
    };
  }

  /**
   * The snapshot is taken before anything else is asked for, so that a change in between is noticed.
   * @param fresh answers the token of an entry that has to have another
   */
  async #read(program: ClientProgram, asked: ConnectAsked, fresh = noToken): Promise<Reading> {
    const place = await this.#located(program, asked.project);
    const snapshot = await readSnapshot(place.place.file);
    const site = await this.#site(program, place);
    return readingOf(site, snapshot, this.#wantedFor(program, asked, fresh));
  }

  /** What is to stand there: what is asked for, else the same kind that does. */
  #wantedFor(program: ClientProgram, { transport, newToken }: ConnectAsked, fresh = noToken) {
    const { harbor, stdioCommand } = this.#options;
    return (found: Transport | undefined): Transport => {
      const kind: TransportKind = transport ?? found?.kind ?? 'stdio';
      refuseNewToken(newToken, kind);
      if (kind === 'stdio') return { kind, ...stdioCommand(program.name) };
      const own = found?.kind === 'http' && harbor.tokens.isInForce(found.token, program.name) && !newToken;
      const token = own ? found.token : fresh();
      return { kind, url: harbor.address() ?? (found?.kind === 'http' ? found.url : ''), token };
    };
  }

  async #site(program: ClientProgram, place: Located): Promise<Site> {
    return { program, ...place, record: await this.#records.read(program.name, place.place.file) };
  }

  #located(program: ClientProgram, project: string | undefined): Promise<Located> {
    return located(program, this.#options.environment, project);
  }

  async #atFile<T>(program: ClientProgram, project: string | undefined, work: () => Promise<T>): Promise<T> {
    const { place } = await this.#located(program, project);
    return inTurnAt(this.#options.locks, place.file, work);
  }

  /** @throws HarborError where something that is asked for could have no effect */
  #check(program: ClientProgram, { transport, project, choice, newToken }: ConnectAsked): void {
    const takesHttp = (project === undefined ? program : program.project)?.notation.http !== undefined;
    if (transport === 'http' && !takesHttp)
      throw new HarborError(
        'not_supported',
        `${program.title} starts its servers and takes no address. Connect it without --http.`,
      );
    if (transport === 'http' && project !== undefined)
      throw new HarborError(
        'not_supported',
        'A project’s file is everybody’s who has the project, so no token is written there. Connect it without --http.',
      );
    if (transport === 'http' || newToken || choice) this.#options.harbor.require();
    if (transport === 'http' && this.#options.harbor.address() === null)
      throw new HarborError('not_supported', 'The harbor listens at no address now. Start it with --port N.');
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
    throw new HarborError('bad_arguments', 'Only a program with an address has a token: add --http.');
}

function noToken(): string {
  return '';
}
