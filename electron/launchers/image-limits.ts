/**
 * Chooses how this host keeps an image from taking the whole machine: a scope of systemd, else control groups of the
 * harbor's own, else a limit of the process (setrlimit(2)), which does not hold for root.
 */
import { CONTROLLERS, type Controller } from './control-group-places';
import { ControlGroups } from './control-groups';
import { machineMemory } from './machine-memory';
import type { ImageLimits, MostOfAnImage } from './process-limits';
import { systemdScope } from './systemd-scope';

/** Threads count too: a JVM has some forty, an ACL2 that certifies books a few for each core. */
const MOST_TASKS = 1024;

/** Of the machine's memory, for one image: its heap is limited apart from that. */
const MEMORY_SHARE = 0.75;

export interface LimitOptions {
  most?: MostOfAnImage;
  uid?: number | undefined;
  env?: NodeJS.ProcessEnv;
  /** Whether images run among the user's own processes, all of which a limit of the process would count. */
  shareHost?: boolean;
  /** Whether control groups are only made: that they can be entered shows when the first image is started. */
  untried?: boolean;
}

/** Tries what there is, strongest first. */
export async function imageLimits(options: LimitOptions = {}): Promise<ImageLimits> {
  const { uid = process.getuid?.(), env = process.env, shareHost = false, untried = false } = options;
  const most = options.most ?? {
    tasks: MOST_TASKS,
    memoryBytes: Math.floor(machineMemory().totalBytes * MEMORY_SHARE),
  };
  const scope = await systemdScope(most, uid, env);
  if (scope) return scope;
  const groups = untried ? ControlGroups.made(most) : await ControlGroups.find(most);
  return limitsByGroups(groups, most, uid, shareHost);
}

/** What the groups do not limit is left to the process itself, as far as it can be. */
export function limitsByGroups(
  groups: Pick<ControlGroups, 'missing' | 'make' | 'expectOne'>,
  { tasks }: MostOfAnImage,
  uid: number | undefined,
  shareHost = false,
): ImageLimits {
  const { missing } = groups;
  const byProcess = missing.includes('pids') && uid !== 0 && !shareHost;
  const inside = byProcess ? ['/usr/bin/prlimit', `--nproc=${tasks}:${tasks}`, '--core=0', '--'] : [];
  const gap = gapOf(byProcess ? missing.filter((each) => each !== 'pids') : missing, uid === 0);
  const endsPrograms = missing.length < CONTROLLERS.length;
  const expectImage = () => groups.expectOne();
  return { gap, endsPrograms, expectImage, forImage: () => ({ ...groups.make(), inside }) };
}

function gapOf(missing: readonly Controller[], isRoot: boolean): string | null {
  if (missing.length === 0) return null;
  const names = missing.map((each) => (each === 'pids' ? 'processes' : 'memory beyond the heap'));
  const root =
    isRoot && missing.includes('pids')
      ? 'Lisp Harbor runs as root, for whom limits of a process do not hold, '
      : '';
  return `not limited: ${names.join(', and ')}; ${root}no systemd answers that would do it, and control groups cannot be made here`;
}
