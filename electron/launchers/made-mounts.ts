/**
 * Looks from outside at the mounts of a sandbox that bubblewrap has made. It mounts by names, in which links may come at any
 * time, at the source and below the folders that may be written. So before the program runs, each mount must lie where it
 * was planned and show the very file that was opened (proc(5): `root`, `mountinfo` and `fdinfo` of the sandbox's first process).
 */
import { type BigIntStats, closeSync, fstatSync, readFileSync, readlinkSync } from 'node:fs';
import { asFailure } from '../contract/errors';
import type { Mount } from '../sandbox/mounts';
import { movedPlace, type OpenedPlaces, openedPath } from '../sandbox/opened-places';

/** What is wrong, for people; null for nothing. @param pid of a process in the sandbox */
export function wrongMount(pid: number, mounts: readonly Mount[], places: OpenedPlaces): string | null {
  try {
    const made = readMounts(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));
    const wrong = mounts.find((mount) => !isAsPlanned(mount, places, (at) => seen(pid, at, made)));
    return wrong === undefined ? null : movedPlace(wrong.at).message;
  } catch (error) {
    return `what is mounted in the sandbox cannot be looked at (${asFailure(error).message})`;
  }
}

interface MadeMount {
  at: string;
  isReadOnly: boolean;
  fileSystem: string;
}

/** What lies at a path of the sandbox, and the mount whose root it is. */
interface Seen {
  file: BigIntStats;
  mount: MadeMount;
}

function isAsPlanned({ at, kind }: Mount, places: OpenedPlaces, look: (at: string) => Seen | null): boolean {
  const place = places.at(at);
  // Where a link above leads to it in the sandbox as well, it was mounted there.
  const found = look(at) ?? (place && place.real !== at ? look(place.real) : null);
  if (!found) return false;
  const { file, mount } = found;
  if (kind === 'hide-folder') return mount.fileSystem === 'tmpfs' && mount.isReadOnly;
  if (kind === 'hide-file') return file.isCharacterDevice() && file.rdev === NULL_DEVICE;
  if (kind !== 'write' && !mount.isReadOnly) return false;
  return place?.device === file.dev && place.inode === file.ino;
}

/** `/dev/null`, by its major and minor number. */
const NULL_DEVICE = 0x103n;

/** null where there is no mount, or another path is reached. */
function seen(pid: number, at: string, made: ReadonlyMap<string, MadeMount>): Seen | null {
  const descriptor = openedPath(`/proc/${pid}/root${at}`);
  if (descriptor === null) return null;
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    const mount = made.get(/^mnt_id:\s*(\d+)$/m.exec(info)?.[1] ?? '');
    const isRoot = mount?.at === at && readlinkSync(`/proc/self/fd/${descriptor}`) === at;
    return isRoot ? { file: fstatSync(descriptor, { bigint: true }), mount } : null;
  } finally {
    closeSync(descriptor);
  }
}

/** By their numbers, as `mountinfo` tells them: `36 35 98:0 /root /at ro,noatime - ext3 /dev/root rw`. */
function readMounts(mountinfo: string): Map<string, MadeMount> {
  const lines = mountinfo.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [number = '', , , , at = '', options = ''] = line.split(' ');
      const [, fileSystem = ''] = /\s-\s(\S+)\s/.exec(line) ?? [];
      return [number, { at: unescaped(at), isReadOnly: options.split(',').includes('ro'), fileSystem }];
    }),
  );
}

/** Blanks, line ends and backslashes stand there as `\040`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
