/**
 * One fetching of libraries, in a process of its own: with the network, and confined to read little and to write into the
 * folder of what was fetched for its project. To a session it is an evaluation, and its image does not take part in it.
 */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { asFailure } from '../contract/errors';
import type { Stream } from '../contract/model';
import type { LaunchEnd, Launched, Launcher } from '../launchers/launcher';
import type { Confinement, HiddenPlace } from '../sandbox/confinement';
import { placeWithin } from '../sandbox/file-within';
import { filesBelow } from '../sandbox/files-below';
import { OpenedFolder } from '../sandbox/opened-folder';
import { closing } from '../sandbox/opened-path';
import { removeFolder } from '../sandbox/removed-folder';
import type { ImageOutcome, OutputSink } from './image';
import type { FetchFolders, FetchPlan } from './library-fetcher';
import { lastLines } from './process-end';

export interface LibraryFetchOptions {
  plan: FetchPlan;
  folders: FetchFolders;
  launcher: Launcher;
  hidden: readonly HiddenPlace[];
}

/** Of an outcome: what the image has no part in. */
type Outcome = Omit<ImageOutcome, 'package'>;

/** What was fetched, as far as it is named in one note. */
const NAMED = 20;

/** Characters of what was printed last that are worth showing where it failed. */
const SHOWN = 600;

export class LibraryFetch {
  readonly #options: LibraryFetchOptions;
  #launched: Launched | null = null;
  #stopped = false;

  constructor(options: LibraryFetchOptions) {
    this.#options = options;
  }

  /** Settles when the process has ended; never rejects. */
  async run(sink: OutputSink): Promise<Outcome> {
    const { plan } = this.#options;
    try {
      const before = new Set(await plan.inventory());
      await this.#prepare();
      if (this.#stopped) return interrupted([]);
      const { end, said } = await this.#toItsEnd(sink);
      await removeFolder(this.#options.folders.work);
      const fetched = (await plan.inventory()).filter((name) => !before.has(name)).sort();
      if (this.#stopped) return interrupted(fetched);
      return end.code === 0 ? done(fetched, plan) : failed(`\`${plan.line}\` ${endOf(end, said)}`, fetched);
    } catch (error) {
      return failed(asFailure(error).message, []);
    }
  }

  /** Ends the process with all that it has started. What it has fetched whole stays. */
  stop(): void {
    this.#stopped = true;
    void this.#launched?.signal('SIGKILL');
  }

  async #prepare(): Promise<void> {
    const { folders, plan } = this.#options;
    await removeFolder(folders.work);
    for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, text] of Object.entries(plan.settings))
      await writeFile(path.join(folders.settings, name), text);
    if (plan.linked !== undefined) await linkAll(plan.linked, folders.work);
  }

  async #toItsEnd(sink: OutputSink): Promise<{ end: LaunchEnd; said: string }> {
    const { plan, launcher } = this.#options;
    const launched = launcher.launch(plan.program, this.#confinement);
    this.#launched = launched;
    launched.wire.resume();
    let said = '';
    const write: OutputSink = (stream, text) => {
      said = (said + text).slice(-2 * SHOWN);
      sink(stream, text);
    };
    const [end] = await Promise.all([
      launched.ended,
      follow('stdout', launched.stdout, write),
      follow('stderr', launched.stderr, write),
    ]);
    return { end, said: lastLines(said, SHOWN) };
  }

  get #confinement(): Confinement {
    const { folders, plan, hidden } = this.#options;
    const { settings, ...writable } = folders;
    return {
      writable: Object.values(writable),
      readable: [...plan.reads, settings],
      hidden,
      network: true,
    };
  }
}

/** What tools make in a project, by the names that they share; other such names begin with a dot. */
const MADE = ['target'];

/** Links to what is in the project. They are followed in the sandbox, and lead nowhere that cannot be seen there. */
async function linkAll(project: string, work: string): Promise<void> {
  const names = (await readdir(project)).filter((name) => !name.startsWith('.') && !MADE.includes(name));
  for (const name of names) await symlink(path.join(project, name), path.join(work, name));
}

async function follow(stream: Stream, source: Readable, write: OutputSink): Promise<void> {
  source.setEncoding('utf8');
  source.on('data', (text: string) => write(stream, text));
  await finished(source).catch(() => undefined);
}

const NOTHING = { forms: [], warnings: [], condition: null } as const;

/** No form: a fetch is never repeated when a session's state is brought back. */
function done(fetched: readonly string[], { next, line }: FetchPlan): Outcome {
  const what = fetched.length === 0 ? `\`${line}\` found nothing that was missing.` : fetchedNote(fetched);
  return { ...NOTHING, forms: [], warnings: [], outcome: 'ok', notes: [`${what} ${next}`] };
}

function interrupted(fetched: readonly string[]): Outcome {
  const kept = fetched.length === 0 ? 'nothing was fetched' : `this much stays: ${named(fetched)}`;
  const notes = [`The fetch was cancelled; ${kept}.`];
  return { ...NOTHING, forms: [], warnings: [], outcome: 'interrupted', notes };
}

function failed(message: string, fetched: readonly string[]): Outcome {
  const condition = { type: 'FetchFailed', message, level: 0, restarts: [], frames: [] };
  const notes = fetched.length === 0 ? [] : [fetchedNote(fetched)];
  return { outcome: 'error', forms: [], warnings: [], condition, notes };
}

function fetchedNote(fetched: readonly string[]): string {
  return `Fetched: ${named(fetched)}.`;
}

function named(fetched: readonly string[]): string {
  const more = fetched.length > NAMED ? ` and ${fetched.length - NAMED} more` : '';
  return `${fetched.slice(0, NAMED).join(', ')}${more}`;
}

function endOf({ code, signal, error }: LaunchEnd, said: string): string {
  const how =
    error ?? (signal === null ? `ended with code ${code ?? '(unknown)'}` : `was killed by ${signal}`);
  return said === '' ? `${how}.` : `${how}. It said last:\n${said}`;
}

/** What is in `folder`, or with `deep` the files below it; nothing when it leads out of `root`, or is not there. */
export async function namesWithin(
  root: string,
  folder: string,
  { deep = false }: { deep?: boolean } = {},
): Promise<string[]> {
  const real = placeWithin(root, folder);
  if (real === null) return [];
  if (!deep) return namesIn(real).catch(() => []);
  const files: string[] = [];
  for await (const file of filesBelow(real)) files.push(file);
  return files;
}

async function namesIn(real: string): Promise<string[]> {
  return closing(await OpenedFolder.open(real), (folder) => readdir(folder.at('')));
}
