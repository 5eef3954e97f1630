/**
 * Scripts for other machines. The command line there is the constant `sh`, which reads a script from stdin:
 * no name or value ever is a word of a command line that the login shell of a user expands. Pure.
 */
import type { HostLayout } from '../../sandbox/bubblewrap-arguments';

/** Returns a word that the shell takes literally. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns a script that the shell reads to its end before it runs: what follows on stdin is not a part of it. */
function whole(lines: readonly string[]): string {
  return `{\n${lines.join('\n')}\nexit\n}\n`;
}

/** Precedes the output of a script; login shells may print before it. */
export function beginMark(nonce: string): string {
  return `${nonce} begin`;
}

/** Returns a script whose output follows `beginMark`. */
export function outputScript(nonce: string, lines: readonly string[]): string {
  return whole(['umask 077', `printf '%s\\n' ${quoted(beginMark(nonce))}`, ...lines]);
}

/** Sets `cache` to our folder on the host. */
export const CACHE_FOLDER = [
  `cache="\${XDG_CACHE_HOME:-$HOME/.cache}/lisp-harbor"`,
  'mkdir -p "$cache" || exit 1',
];

/** Folders of programs; each may be a link into /usr. */
const FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** The options of bubblewrap that matter, on a program that does nothing. */
const TRY_BUBBLEWRAP =
  'bwrap --unshare-all --unshare-user --disable-userns --die-with-parent --ro-bind / / true';

/** Lines that describe the machine; `machineOf` reads their output. */
export const DESCRIBE_MACHINE = [
  ...CACHE_FOLDER,
  `printf 'cache\\t%s\\n' "$cache"`,
  ...FOLDERS.map(
    (folder) =>
      `if [ -h ${folder} ]; then printf 'link\\t${folder}\\t%s\\n' "$(readlink ${folder})"; elif [ -d ${folder} ]; then printf 'folder\\t${folder}\\n'; fi`,
  ),
  `if command -v bwrap >/dev/null 2>&1; then`,
  `  if tried=$(${TRY_BUBBLEWRAP} 2>&1); then printf 'bwrap\\t\\n'; else printf 'unconfined\\tbubblewrap does not work there: %s\\n' "$(printf '%s' "$tried" | head -n 1)"; fi`,
  `else printf 'unconfined\\tbubblewrap is not installed there\\n'; fi`,
];

export interface MachineParts {
  /** Our folder there. */
  cache: string;
  layout: HostLayout;
  /** Why images there are not confined; null if they are. */
  unconfined: string | null;
}

/** @returns null if the output is not that of `DESCRIBE_MACHINE` */
export function machineOf(output: string): MachineParts | null {
  const rows = output.split('\n').map((line) => line.split('\t'));
  const of = (key: string) => rows.filter(([first]) => first === key).map(([, ...rest]) => rest);
  const [[cache = ''] = []] = of('cache');
  if (!cache.startsWith('/')) return null;
  const links = of('link').flatMap(([path, target]) => (path && target ? [{ path, target }] : []));
  const folders = of('folder').flatMap(([path]) => path ?? []);
  const [[reason] = []] = of('unconfined');
  const isConfined = of('bwrap').length > 0;
  const unconfined = isConfined ? null : (reason ?? 'bubblewrap could not be tried there');
  return { cache, layout: { links, folders }, unconfined };
}

/** Lines that write text files below `folder`, which may use variables of the script. */
export function writeFiles(folder: string, files: Iterable<readonly [name: string, text: string]>): string[] {
  const lines: string[] = [];
  for (const [name, text] of files) {
    let end = 'end-of-file';
    while (text.includes(end)) end += '-';
    const at = `${folder}/${quoted(name)}`;
    lines.push(`mkdir -p "$(dirname ${at})" && cat > ${at} <<'${end}'`, text.replace(/\n$/, ''), end);
  }
  return lines;
}

export interface StartedProgram {
  command: string;
  args: readonly string[];
  cwd: string;
  /** Folders that are made first. */
  folders: readonly string[];
}

/** The marks of a start, which only the harbor and the shell there know. */
export function marks(nonce: string): { ready: string; pid: string; ended: string } {
  return { ready: `${nonce} ready`, pid: `${nonce} pid `, ended: `${nonce} ended ` };
}

/**
 * Returns a script that starts a program whose wire is read from descriptor 3 and written to descriptor 4:
 * stdin and stdout of the shell, which the program itself does not have. On stdout, `ready` precedes the wire;
 * on stderr, `pid` and `ended` have lines of their own.
 */
export function startScript(nonce: string, { command, args, cwd, folders }: StartedProgram): string {
  const { ready, pid, ended } = marks(nonce);
  const words = [command, ...args].map(quoted).join(' ');
  return whole([
    'umask 077',
    ...folders.map((folder) => `mkdir -p ${quoted(folder)} || exit 1`),
    `cd ${quoted(cwd)} || exit 1`,
    'exec 3<&0 4>&1 </dev/null >&2',
    `printf '%s\\n' ${quoted(ready)} >&4`,
    `${words} 3<&3 4>&4 &`,
    'pid=$!',
    'exec 3<&- 4>&-',
    `printf '\\n%s%s\\n' ${quoted(pid)} "$pid" >&2`,
    'wait "$pid"',
    `printf '\\n%s%s\\n' ${quoted(ended)} "$?" >&2`,
  ]);
}
