/**
 * What Landlock is told to allow of a confinement. Its rules only add, and each holds for all that lies below. So a folder
 * in which something stays closed, such as a project with its `.git`, is allowed by a rule for each thing beside that, and
 * nothing new can be made in the folder itself. Pure: the file system is an argument.
 */
import type { HostLayout } from './bubblewrap-arguments';
import { type Confinement, systemFiles } from './confinement';
import { isWithin } from './project-rules';

/** `device`: read and written, and nothing else. */
export type GrantPower = 'read' | 'device' | 'write';

export interface FoundFile {
  path: string;
  isFolder: boolean;
}

export interface Grant extends FoundFile {
  power: GrantPower;
}

export interface FileSystem {
  /** Links followed; null for what is not there. */
  real(path: string): FoundFile | null;
  /** What lies in a folder, but for links: what they lead to is allowed by itself or not at all. */
  children(folder: string): FoundFile[];
}

/** From weak to strong: where one place is asked for twice the stronger grant wins. */
const STRENGTH: readonly GrantPower[] = ['read', 'device', 'write'];

/** They hold nothing. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];

/** What there is of the machine; of its processes only the program's own can be read. */
const MACHINE = ['/proc/cpuinfo', '/proc/meminfo', '/proc/stat'];

/** Written as it is: here it would be the harbor, but it is looked up by the process that becomes the program. */
const OWN_PROCESS: Grant = { path: '/proc/self/.', isFolder: true, power: 'read' };

/** @param needs what the program must read to run */
export function landlockGrants(
  needs: readonly string[],
  { readable: named, writable, kept = [], hidden = [], network }: Confinement,
  host: HostLayout,
  files: FileSystem,
): Grant[] {
  // Its rules cannot name what is not there: that is among the gaps.
  const readable = [...named, ...kept.filter((at) => files.real(at) !== null)];
  const found = new Map<string, Grant>();
  const add = (power: GrantPower) => (asked: string) => {
    const real = files.real(asked);
    if (!real) return;
    const present = found.get(real.path);
    if (!present || isStronger(power, present.power)) found.set(real.path, { ...real, power });
  };
  ['/usr', ...host.folders, ...systemFiles(network), ...MACHINE].forEach(add('read'));
  DEVICES.forEach(add('device'));
  [...needs, ...readable].forEach(add('read'));
  writable.forEach(add('write'));
  const without = (grant: Grant, places: readonly string[]) => {
    // By their names as well: a link that is there just now may be gone when the rules are made.
    const closed = places.flatMap((each) => [each, files.real(each)?.path ?? each]);
    return around(
      grant,
      closed.filter((at) => isStronger(grant.power, found.get(at)?.power)),
      files,
    );
  };
  const hiding = hidden.map(({ path }) => path);
  return [
    OWN_PROCESS,
    ...[...found.values()].flatMap((grant) => {
      if (grant.power !== 'write') return without(grant, hiding);
      const written = without(grant, [...hiding, ...readable]);
      const places = new Set(written.map(({ path }) => path));
      // What cannot be written to as a whole can be read, and listed, but for what is hidden.
      const shown = without({ ...grant, power: 'read' }, hiding).filter(({ path }) => !places.has(path));
      return [...shown, ...written];
    }),
  ];
}

/** The grant, or those for what lies beside the closed places in it. */
function around(grant: Grant, closed: readonly string[], files: FileSystem): Grant[] {
  const inside = closed.filter((at) => at !== grant.path && isWithin(at, grant.path, 'linux'));
  if (inside.length === 0) return [grant];
  return files
    .children(grant.path)
    .filter(({ path }) => !inside.includes(path))
    .flatMap((child) => around({ ...child, power: grant.power }, inside, files));
}

function isStronger(power: GrantPower, than: GrantPower | undefined): boolean {
  return than === undefined || STRENGTH.indexOf(power) > STRENGTH.indexOf(than);
}
