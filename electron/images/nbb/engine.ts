/**
 * The embedded engine: nbb, ClojureScript on Node, which comes as an npm package and so is always here. Each
 * session is a process of its own, because nbb's sessions share everything.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { EngineFound } from '../../contract/model';
import { places } from '../../host/places';
import { isWithin } from '../../sandbox/project-rules';
import { realPath } from '../../sandbox/real-path';
import type { Engine, Image, StartRequest } from '../image';
import { MadeOf } from '../made-of';
import { NbbImage } from './image';
import { type JavascriptRuntime, javascriptRuntime } from './javascript-runtime';

export interface NbbOptions {
  /** Folder of the npm package `nbb`; found among this app's own packages unless given. */
  packageFolder?: string;
  runtime?: JavascriptRuntime;
}

export class NbbEngine implements Engine {
  readonly name = 'nbb';
  readonly startsAhead = true;
  readonly #imageFile: string;
  readonly #packageFolder: string | undefined;
  readonly #runtime: JavascriptRuntime;

  /** `imageFile` is what the process runs, `resources/nbb/image.mjs`. */
  constructor(imageFile: string, options: NbbOptions = {}) {
    this.#imageFile = imageFile;
    this.#packageFolder = options.packageFolder ?? installedPackage();
    this.#runtime = options.runtime ?? javascriptRuntime();
  }

  async discover(): Promise<EngineFound> {
    const folder = this.#packageFolder;
    const version = folder === undefined ? undefined : await versionOf(folder);
    if (folder === undefined || version === undefined)
      return { engine: this.name, available: false, reason: MISSING };
    return { engine: this.name, available: true, version, path: folder };
  }

  async start(request: StartRequest): Promise<Image> {
    const folder = this.#packageFolder;
    if (folder === undefined) throw new HarborError('engine_unavailable', MISSING);
    const { project } = request;
    const { command, args, env, needs } = this.#runtime;
    // nbb reads it once, as it starts.
    const madeOf = new MadeOf(project, (file) => isWithin(realPath(file), project, process.platform));
    madeOf.note([path.join(project, 'nbb.edn')]);
    await mkdir(temporaryOf(request), { recursive: true, mode: 0o700 });
    const launched = request.launcher.launch(
      {
        command,
        args: [...args, this.#imageFile, folder],
        env: { ...environment(request), ...env },
        cwd: project,
        needs: [...needs, ...ownFolders(this.#imageFile), folder, ...dependencies(folder)],
      },
      request.confinement,
    );
    return NbbImage.start(launched, madeOf, request.package);
  }
}

const MISSING = 'The npm package nbb is not installed beside the app; `npm ci` in its folder brings it back.';

/** The whole environment of the process. */
function environment(request: StartRequest): Record<string, string> {
  const { home } = request;
  const own = { HOME: home, TMPDIR: temporaryOf(request) };
  return { ...own, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'dumb' };
}

/** A folder of the session's own for temporary files; the system's is shared, or out of reach, under some launchers. */
function temporaryOf({ home }: StartRequest): string {
  return path.join(home, 'tmp');
}

/** What the image loads of ours: its own files, and those that are the same on a JVM. */
function ownFolders(imageFile: string): string[] {
  const folder = path.dirname(imageFile);
  return [folder, path.join(folder, '../clojure')];
}

function installedPackage(): string | undefined {
  try {
    return path.dirname(
      createRequire(path.join(places.unpacked, 'package.json')).resolve('nbb/package.json'),
    );
  } catch {
    return undefined;
  }
}

async function versionOf(folder: string): Promise<string | undefined> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(text) as { version?: unknown };
  return typeof version === 'string' ? version : undefined;
}

/** npm puts nbb's one dependency beside it, or inside its folder, which is readable already. */
function dependencies(folder: string): string[] {
  return [path.join(path.dirname(folder), 'import-meta-resolve')].filter((beside) => existsSync(beside));
}
