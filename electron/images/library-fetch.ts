/**
 * Fetches libraries in a process with network access. It may read little and write only to the project's
 * folder of fetched libraries. For the session this is an evaluation without its image.
 */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { asFailure } from '../contract/errors';
import type { Stream } from '../contract/model';
import { note } from '../contract/note';
import { closingAfter, OpenedFolder } from '../host/opened-folder';
import type { LaunchEnd, Launched, Launcher } from '../launchers/launcher';
import type { Confinement } from '../sandbox/confinement';
import { removeFolder } from '../sandbox/folder-tree';
import { filesBelow, pathWithin } from '../sandbox/project-files';
import type { ImageOutcome, OutputSink } from './image';
import { lastLines } from './image-process';
import type { FetchFolders, FetchPlan } from './optional-groups';

export interface LibraryFetchOptions {
  plan: FetchPlan;
  folders: FetchFolders;
  launcher: Launcher;
  /** The confinement of the project's images, of which a fetch uses a part. */
  confinement: Pick<Confinement, 'hidden' | 'loopbackPorts'>;
}

/** An outcome without the properties of an image. */
type Outcome = Omit<ImageOutcome, 'package'>;

/** Maximum libraries named in a note. */
const MOST_NAMED = 20;

/** Characters of the last output shown for a failed fetch. */
const TAIL_CHARACTERS = 600;

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
      const { end, tail } = await this.#runToEnd(sink);
      await removeFolder(this.#options.folders.work);
      const fetched = (await plan.inventory()).filter((name) => !before.has(name)).sort();
      if (this.#stopped) return interrupted(fetched);
      return end.code === 0
        ? done(fetched, plan)
        : failed(`\`${plan.line}\` ${describeEnd(end, tail)}`, fetched);
    } catch (error) {
      return failed(asFailure(error).message, []);
    }
  }

  /** Kills the process and its children. Completely fetched libraries remain. */
  stop(): void {
    this.#stopped = true;
    void this.#launched?.signal('SIGKILL');
  }

  async #prepare(): Promise<void> {
    const { folders, plan } = this.#options;
    await removeFolder(folders.work);
    for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, text] of Object.entries(plan.settings))
      await writeFile(path.join(folders.settings, name), text, { mode: 0o600 });
    if (plan.linked !== undefined) await linkAll(plan.linked, folders.work);
  }

  async #runToEnd(sink: OutputSink): Promise<{ end: LaunchEnd; tail: string }> {
    const { plan, launcher } = this.#options;
    const launched = launcher.launch(plan.program, this.#confinement);
    this.#launched = launched;
    launched.wire.resume();
    let tail = '';
    const write: OutputSink = (stream, text) => {
      tail = (tail + text).slice(-2 * TAIL_CHARACTERS);
      sink(stream, text);
    };
    const [end] = await Promise.all([
      launched.ended,
      follow('stdout', launched.stdout, write),
      follow('stderr', launched.stderr, write),
    ]);
    return { end, tail: lastLines(tail, TAIL_CHARACTERS) };
  }

  get #confinement(): Confinement {
    const { folders, plan, confinement } = this.#options;
    const { hidden = [], loopbackPorts = [] } = confinement;
    const { settings, ...writable } = folders;
    return {
      writable: Object.values(writable),
      readable: [...plan.reads, settings],
      hidden,
      network: true,
      loopbackPorts,
    };
  }
}

/** Output folders of build tools. Other such folders start with a dot. */
const GENERATED = ['target'];

/**
 * Creates links to the contents of the project. The sandbox resolves them, so they cannot lead outside of it.
 */
async function linkAll(project: string, work: string): Promise<void> {
  const names = (await readdir(project)).filter((name) => !name.startsWith('.') && !GENERATED.includes(name));
  for (const name of names) await symlink(path.join(project, name), path.join(work, name));
}

async function follow(stream: Stream, source: Readable, write: OutputSink): Promise<void> {
  source.setEncoding('utf8');
  source.on('data', (text: string) => write(stream, text));
  await finished(source).catch(() => undefined);
}

const EMPTY_OUTCOME = { forms: [], warnings: [], condition: null } as const;

/** Reports no form, so that a replay does not repeat the fetch. */
function done(fetched: readonly string[], { next, line }: FetchPlan): Outcome {
  const text = fetched.length === 0 ? `\`${line}\` found nothing missing.` : fetchedText(fetched);
  const notes = [note('fetched', text, next)];
  return { ...EMPTY_OUTCOME, forms: [], warnings: [], outcome: 'ok', notes };
}

function interrupted(fetched: readonly string[]): Outcome {
  const summary = fetched.length === 0 ? 'nothing was fetched' : `already fetched: ${named(fetched)}`;
  const notes = [note('fetch_cancelled', `The fetch was cancelled; ${summary}.`)];
  return { ...EMPTY_OUTCOME, forms: [], warnings: [], outcome: 'interrupted', notes };
}

function failed(message: string, fetched: readonly string[]): Outcome {
  const condition = { type: 'FetchFailed', message, level: 0, restarts: [], frames: [] };
  const notes = fetched.length === 0 ? [] : [note('fetched', fetchedText(fetched))];
  return { outcome: 'error', forms: [], warnings: [], condition, notes };
}

function fetchedText(fetched: readonly string[]): string {
  return `Fetched: ${named(fetched)}.`;
}

function named(fetched: readonly string[]): string {
  const more = fetched.length > MOST_NAMED ? ` and ${fetched.length - MOST_NAMED} more` : '';
  return `${fetched.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function describeEnd({ code, signal, error }: LaunchEnd, tail: string): string {
  const how =
    error ?? (signal === null ? `exited with code ${code ?? '(unknown)'}` : `was killed by ${signal}`);
  return tail === '' ? `${how}.` : `${how}. Last output:\n${tail}`;
}

/**
 * Returns the names in `folder`, or with `deep` the files below it; nothing if it does not exist or leads out
 * of `root`.
 */
export async function namesWithin(
  root: string,
  folder: string,
  { deep = false }: { deep?: boolean } = {},
): Promise<string[]> {
  const real = pathWithin(root, folder);
  if (real === null) return [];
  if (!deep) return namesIn(real).catch(() => []);
  const files: string[] = [];
  for await (const file of filesBelow(real)) files.push(file);
  return files;
}

async function namesIn(real: string): Promise<string[]> {
  return closingAfter(await OpenedFolder.open(real), (folder) => readdir(folder.at('')));
}
