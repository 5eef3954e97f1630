/** The core of SBCL images on another machine: found or built there, from our sources that are sent to it. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { CACHE_FOLDER, quoted, writeFiles } from '../../launchers/hosts/host-scripts';
import type { Machine } from '../../launchers/launcher';
import { QUESTION } from './installation';

export interface RemoteCore {
  version: string;
  runtime: string;
  /** SBCL_HOME there. */
  home: string;
  core: string;
}

const QUIETLY = '--noinform --no-sysinit --no-userinit --disable-debugger --non-interactive';

/** Cores that are known to exist, by host and hash of the sources. */
const known = new WeakMap<Machine, Map<string, Promise<RemoteCore>>>();

/**
 * Returns the core on the host, which is built once for each version of SBCL and of our sources.
 * @param sources our folder of Lisp files
 * @throws HarborError `engine_unavailable`
 */
export function remoteCore(
  machine: Machine,
  sources: string,
  heapMiB: number,
  report: (doing: string) => void,
): Promise<RemoteCore> {
  const files = sourceFiles(sources);
  const hash = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('hex')
    .slice(0, 16);
  const cores = known.get(machine) ?? new Map<string, Promise<RemoteCore>>();
  known.set(machine, cores);
  const found = cores.get(hash) ?? find({ machine, files, hash, heapMiB }, report);
  cores.set(hash, found);
  found.catch(() => cores.delete(hash));
  return found;
}

/** Looks for the core again at the next start, because an image did not start from it. */
export function forgetCore(machine: Machine): void {
  known.delete(machine);
}

interface Search {
  machine: Machine;
  files: ReadonlyMap<string, string>;
  hash: string;
  heapMiB: number;
}

async function find(search: Search, report: (doing: string) => void): Promise<RemoteCore> {
  const { machine } = search;
  await machine.prepare();
  const locate = locateLines(search);
  const answer = parsed(machine, await machine.run([...locate, LOOK_AT_CORE]));
  if (answer.isThere) return answer;
  report(`building the start file of SBCL images on ${machine.host.name}, once per version`);
  const built = parsed(machine, await machine.run([...locate, ...buildLines(search), LOOK_AT_CORE]));
  if (built.isThere) return built;
  throw new HarborError('engine_unavailable', `The core was not built on ${machine.host.name}.`);
}

/** Sets `sbcl` and `core`, and prints version, runtime and home. */
function locateLines({ machine, hash, heapMiB }: Search): string[] {
  const { sbcl = 'sbcl' } = machine.host.engines ?? {};
  return [
    ...CACHE_FOLDER,
    `sbcl=$(command -v ${quoted(sbcl)}) || { echo "SBCL is not installed there, or its path is not in the settings" >&2; exit 1; }`,
    `answer=$("$sbcl" ${QUIETLY} --eval ${quoted(QUESTION)} </dev/null) || exit 1`,
    `printf '%s\\n' "$answer" | tail -n 3`,
    `runtime=$(printf '%s\\n' "$answer" | tail -n 2 | head -n 1)`,
    `core="$cache/sbcl-$(cksum < "$runtime" | tr ' ' -)-${heapMiB}m-${hash}.core"`,
  ];
}

const LOOK_AT_CORE = `printf '%s\\n' "$core"; if [ -f "$core" ]; then echo there; else echo missing; fi`;

/** Builds under another name first, so that an interrupted build leaves no incomplete core. */
function buildLines({ files, heapMiB }: Search): string[] {
  return [
    'work=$(mktemp -d "$cache/build-XXXXXX") || exit 1',
    ...writeFiles('"$work"', files),
    `HOME="$work" "$sbcl" --dynamic-space-size ${heapMiB} ${QUIETLY} --load "$work/build.lisp" --end-toplevel-options "$work/new.core" </dev/null >&2 || exit 1`,
    'mv "$work/new.core" "$core" && rm -rf "$work"',
  ];
}

function parsed({ host }: Machine, output: string): RemoteCore & { isThere: boolean } {
  const [version = '', runtime = '', home = '', core = '', state] = output.trim().split('\n').slice(-5);
  if (runtime.startsWith('/') && home.startsWith('/') && core.startsWith('/'))
    return { version, runtime, home, core, isThere: state === 'there' };
  throw new HarborError(
    'engine_unavailable',
    `SBCL on ${host.name} does not respond like SBCL: ${output.slice(0, 300)}`,
  );
}

/** The agent's files for SBCL, by their names below the folder. */
function sourceFiles(sources: string): ReadonlyMap<string, string> {
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).sort();
  const own = names.filter((name) => /\.(lisp|asd)$/.test(name) && !/^(acl2|portable)\b/.test(name));
  return new Map(own.map((name) => [name, readFileSync(path.join(sources, name), 'utf8')]));
}
