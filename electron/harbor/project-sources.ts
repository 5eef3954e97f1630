/** The source files of a project for the window: reads, writes and finds them, and compiles and loads them. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import type { Client, Evaluation } from '../contract/model';
import type { SourceFolder, SourceGroups, SourceText, SourceVersions } from '../contract/source-files';
import type { History } from '../history/history';
import { runAlone, spawnAlone } from '../host/child-process';
import { sourceFile } from '../sandbox/project-files';
import type { SessionChanges } from '../sessions/changes/session-changes';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import { OneForm } from '../source/code';
import { packagesOf } from '../source/defined-forms';
import { type Dialect, dialectOf, dialectOfFile } from '../source/dialect';
import type { GuardedFiles } from '../source/files';
import { read } from '../source/reader';
import { filesAt, search, visibleEntries } from '../source/search';
import { formsOf } from '../source/syntax-tree';
import { systemsIn } from '../source/systems';
import { bytesOf, LARGEST_FILE, textOf } from '../source/text';
import { changeFile, checkHash, openText, textFile } from '../tools/files/text-files';
import { writeContent } from '../tools/files/write-file-tool';
import { shortPath } from '../tools/source-places';

interface SourceParts {
  files: GuardedFiles;
  history: History;
  sessions: Sessions;
  changes: SessionChanges;
  person: Client;
  /** Runs the work as a call of the person that the history records. */
  recorded: <T>(tool: string, args: Record<string, unknown>, work: () => Promise<T>) => Promise<T>;
}

/** Code of a file, and the package in which it is read. */
interface CodeInFile {
  code: string;
  package?: string | undefined;
}

/** Maximum number of places of one name. */
const MOST_PLACES = 50;

export class ProjectSources {
  readonly #parts: SourceParts;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  async folder(project: string, folder: string): Promise<SourceFolder> {
    const { path: real, entries, complete } = await this.#parts.files.list(project, folder, this.#caller);
    const shown = visibleEntries(entries).map(({ name, type }) => ({
      ...{ name, path: shortPath(path.join(real, name), project), isFolder: type === 'directory' },
    }));
    return { project, entries: shown, complete };
  }

  async groups(project: string): Promise<SourceGroups> {
    const systems: SourceGroups['systems'] = [];
    const packages = new Map<string, string[]>();
    const place = {
      ...{ path: '.', caller: this.#caller, signal: new AbortController().signal },
      isWanted: (name: string) => dialectOfFile(name) !== null,
    };
    for await (const { path: real, bytes } of filesAt(this.#parts.files, project, place, [])) {
      const dialect = dialectOfFile(real);
      const text = bytes.length > LARGEST_FILE || dialect === null ? null : textOf(bytes)?.text;
      if (text == null || dialect === null) continue;
      const file = shortPath(real, project);
      const inFolder = (name: string) => shortPath(path.join(path.dirname(real), name), project);
      if (/\.asd$/i.test(file))
        systems.push(
          ...systemsIn(text).map(({ name, files }) => ({ name, files: [file, ...files.map(inFolder)] })),
        );
      else
        for (const name of packagesEntered(text, dialect))
          packages.set(name, [...(packages.get(name) ?? []), file]);
    }
    const named = [...packages].map(([name, files]) => ({ name, files }));
    return { project, systems, packages: named.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
  }

  async read(project: string, file: string): Promise<SourceText> {
    const { path: real, shown, text, hash } = await openText(file, { project }, this.#parts, this.#caller);
    const writtenAt = await stat(real).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    return { project, path: shown, file: real, text, hash, writtenAt };
  }

  /** @param hash of the content that is replaced; null for a new file */
  async write(
    { project, session }: { project: string; session?: string | undefined },
    { path: file, text, hash }: { path: string; text: string; hash: string | null },
  ): Promise<SourceText> {
    const { recorded, person } = this.#parts;
    const by = { client: person, project, ...(session === undefined ? {} : { session }) };
    await recorded('write_file', { path: file, ...(session === undefined ? {} : { session }) }, async () => {
      if (hash === null) return writeContent({ path: file, content: text }, by, this.#parts);
      return changeFile(file, by, this.#parts, (found) => {
        const current = textFile(found, shortPath(found.path, project));
        checkHash(current, hash);
        return { bytes: bytesOf({ ...current, text }), answer: null };
      });
    });
    return this.read(project, file);
  }

  /** @param session null without an image that can answer */
  async versions(project: string, file: string, session: Session | null): Promise<SourceVersions> {
    const { path: real } = await this.#parts.files.read(project, file, this.#caller);
    const image = session && (await this.#parts.changes.inImage(session, real));
    return { image, commit: await lastCommit(real) };
  }

  async find(project: string, name: string): Promise<{ path: string; line: number }[]> {
    const signal = new AbortController().signal;
    const place = { path: '.', limit: MOST_PLACES, caller: this.#caller, signal };
    const { matches } = await search(this.#parts.files, project, {
      kind: 'definition',
      query: name,
      ...place,
    });
    return matches.map(({ file, line }) => ({ path: shortPath(file, project), line }));
  }

  compile(session: Session, { code, package: here }: CodeInFile): Promise<Evaluation> {
    const request = { client: this.#parts.person.key, grant: null, kind: 'eval', code } as const;
    return session.evaluate({
      ...request,
      onError: 'report',
      ...(here === undefined ? {} : { package: here }),
    }).settled;
  }

  load(session: Session, file: string): Promise<Evaluation> {
    const { project } = session.identity;
    const real = sourceFile(file, project, this.#parts.sessions.librariesOf(project));
    const code = session.loader.loadCode({ file: real });
    return session.evaluate({ client: this.#parts.person.key, grant: null, kind: 'load', code }).settled;
  }

  async edit(project: string, file: string, line: number, editor: string | undefined): Promise<void> {
    const { path: real } = await this.#parts.files.read(project, file, this.#caller);
    const [program, ...args] = editorWords(editor ?? '', real, line);
    if (program === undefined)
      throw new HarborError('bad_arguments', 'No editor is set. Name its command under Settings, My editor.');
    const started = spawnAlone(program, args, { detached: true, stdio: 'ignore' });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    started.once('spawn', resolve).once('error', reject);
    started.unref();
    await promise.catch((error: Error) => {
      throw new HarborError(
        'bad_arguments',
        `${program} did not start: ${error.message}. Correct it under Settings.`,
      );
    });
  }

  async expand(
    session: Session,
    { code, package: here }: CodeInFile,
    extent: 'once' | 'full',
  ): Promise<{ expansion: string } | { problem: string }> {
    const form = OneForm.read(code, dialectOf(session.identity.engine), 'form');
    const expanding = session.ability('knowledge').expansionCode(form, extent);
    const request = {
      client: this.#parts.person.key,
      grant: null,
      kind: 'inspect',
      code: expanding,
    } as const;
    const { id, outcome, condition, forms } = await session.evaluate({
      ...{ ...request, onError: 'report', safeRead: true },
      ...(here === undefined ? {} : { package: here }),
    }).settled;
    const expansion = forms.at(-1)?.values[0];
    if (outcome === 'ok' && expansion !== undefined) return { expansion };
    return { problem: condition?.message ?? `Evaluation ${id} was ${outcome}.` };
  }

  get #caller() {
    return { client: this.#parts.person.key, tool: 'source' };
  }
}

/** Returns the words of the command line, with quoted words whole. The file is the last word unless it has a place. */
export function editorWords(command: string, file: string, line: number): string[] {
  const words = Array.from(command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, ...parts]) => parts.join(''));
  if (words.length === 0) return [];
  const placed = words.some((word) => word.includes('{file}')) ? words : [...words, '{file}'];
  return placed.map((word) => word.replaceAll('{line}', String(line)).replaceAll('{file}', () => file));
}

/** Returns the packages or namespaces that the forms of a text are read in, in lower case for Common Lisp. */
function packagesEntered(text: string, dialect: Dialect): Set<string> {
  const source = read(text, dialect);
  const packageAt = packagesOf(source, '');
  const names = formsOf(source.tree).map(({ start }) => packageAt(start));
  const entered = names.filter((name) => name !== '');
  return new Set(dialect === 'clojure' ? entered : entered.map((name) => name.toLowerCase()));
}

/** Milliseconds that Git may take. */
const GIT_MS = 5_000;
/**
 * Git reads one object. It contacts no other computer, and runs nothing that the repository names: an agent may have
 * written its configuration.
 */
const GIT_ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
};
const GIT_OPTIONS = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'safe.bareRepository=explicit',
];

/** Returns null outside of a repository with commits, without Git, and for a file that is no source text there. */
export async function lastCommit(file: string): Promise<SourceVersions['commit']> {
  const folder = path.dirname(file);
  const git = (...args: string[]) =>
    runAlone('git', ['-C', folder, ...GIT_OPTIONS, ...args], {
      ...{ timeout: GIT_MS, maxBuffer: LARGEST_FILE, encoding: 'latin1' },
      env: { ...process.env, ...GIT_ENVIRONMENT },
    });
  try {
    await git('rev-parse', '--verify', '--quiet', 'HEAD');
  } catch {
    return null;
  }
  const name = `HEAD:./${path.basename(file)}`;
  const type = await git('cat-file', '-t', name).catch(() => null);
  if (type === null) return { text: null };
  const content = await git('cat-file', 'blob', name).catch(() => null);
  const text = content && textOf(Buffer.from(content.stdout, 'latin1'));
  return text && { text: text.text };
}
