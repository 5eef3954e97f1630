/**
 * The embedded engine nbb, ClojureScript on Node, which is an npm dependency and so always available. Each
 * session is a separate process, because nbb's sessions share all state.
 */

import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { EngineFound } from '../../contract/model';
import { paths } from '../../host/paths';
import { isWithin, realPath } from '../../sandbox/paths';
import type { Engine, Image, StartRequest } from '../image';
import { LaunchFingerprint } from '../launch-fingerprint';
import { NbbImage } from './image';

interface NbbOptions {
  /** Folder of the npm package `nbb`; defaults to the app's own packages. */
  packageFolder?: string;
  runtime?: JavascriptRuntime;
}

export class NbbEngine implements Engine {
  readonly name = 'nbb';
  readonly isFallback = true;
  readonly startsAhead = true;
  readonly #imageFile: string;
  readonly #packageFolder: string | undefined;
  readonly #runtime: JavascriptRuntime;

  /** @param imageFile the script that the process runs, `resources/nbb/image.mjs` */
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
    // nbb reads it once, at startup.
    const fingerprint = new LaunchFingerprint(project, (file) =>
      isWithin(realPath(file), project, process.platform),
    );
    fingerprint.record([path.join(project, 'nbb.edn')]);
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
    return NbbImage.start(launched, fingerprint, request.package);
  }
}

const MISSING = "The npm package nbb is not installed with the app; run `npm ci` in the app's folder.";

/** The whole environment of the process. */
function environment(request: StartRequest): Record<string, string> {
  const { home } = request;
  const own = { HOME: home, TMPDIR: temporaryOf(request) };
  return { ...own, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'dumb' };
}

/** The session's folder for temporary files; the system's may be shared or inaccessible. */
function temporaryOf({ home }: StartRequest): string {
  return path.join(home, 'tmp');
}

/** Our files that the image loads: its own, and those shared with the JVM. */
function ownFolders(imageFile: string): string[] {
  const folder = path.dirname(imageFile);
  return [folder, path.join(folder, '../clojure')];
}

function installedPackage(): string | undefined {
  try {
    return path.dirname(createRequire(path.join(paths.unpacked, 'package.json')).resolve('nbb/package.json'));
  } catch {
    return undefined;
  }
}

async function versionOf(folder: string): Promise<string | undefined> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(text) as { version?: unknown };
  return typeof version === 'string' ? version : undefined;
}

/** npm installs nbb's only dependency next to it, or inside its folder, which is readable anyway. */
function dependencies(folder: string): string[] {
  return [path.join(path.dirname(folder), 'import-meta-resolve')].filter((dependency) =>
    existsSync(dependency),
  );
}

/**
 * How to run a JavaScript file as a separate process: the arguments before the file, and the paths that must
 * be readable.
 */
interface JavascriptRuntime {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  needs: readonly string[];
}

/**
 * Runs our own executable as Node. Electron reads libraries and snapshots from its folder; Node is a single
 * file.
 */
function javascriptRuntime(): JavascriptRuntime {
  const command = process.execPath;
  if (process.versions.electron === undefined) return { command, args: [], env: {}, needs: [command] };
  return { command, args: [], env: { ELECTRON_RUN_AS_NODE: '1' }, needs: [path.dirname(command)] };
}
