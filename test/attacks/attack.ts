/**
 * What code in a session may try against what is beyond its project, as data. An attack is a script for bash that prints
 * ESCAPED when it has done what it must not, and does no harm even then: it touches decoys only.
 */

/** What the decoys hold. */
export const KEPT = 'what-nobody-should-read\n';

/** What there is for attacks to reach. */
export interface Place {
  /** Beside the project and of one attack alone, with the file `kept` in it. */
  outside: string;
  /** Of the person, with secrets as in `place.ts`. */
  home: string;
  /** The harbor's own: `bridge.secret`, `settings.json`, `harbor.sock`, `sessions/other/home/file`. */
  data: string;
  /** With all that runs outside at its top: `.git`, `.envrc` and others. */
  project: string;
  /** A folder of the project in which the attack begins: Landlock lets nothing new stand beside `.git`. */
  work: string;
  /** The process that starts the images. */
  harbor: number;
  victim: Victim;
  /** A process of the host that one attack may end. */
  doomed: number;
  /** Listens on addresses of this computer alone, of IPv4 and IPv6. */
  port: number;
  /** Listens in the abstract namespace of unix sockets. */
  abstractSocket: string;
  /** A folder with unix sockets, each of a program that is told by its name. */
  run: string;
}

/** A process of the host that stands for the person's programs. */
export interface Victim {
  pid: number;
  /** Its working folder, in which the file `kept` is. */
  folder: string;
  /** The descriptor by which it has `kept` open for writing. */
  descriptor: number;
  /** Takes datagrams on 127.0.0.1. */
  port: number;
  /** Takes datagrams in the abstract namespace. */
  abstractSocket: string;
  /** A unix socket that takes datagrams. */
  socket: string;
  /** By which it shares memory, semaphores and messages (ftok(3)). */
  key: number;
  /** The name of its message queue; beside it is one with `-two` at its end. */
  queue: string;
}

export type Harm =
  | 'a decoy is read'
  | 'what is outside is seen'
  | 'a decoy is changed'
  | 'a file appears outside'
  | 'what runs outside is written'
  | 'a process outside is touched'
  | 'a connection is accepted'
  | 'the kernel lets it further in'
  | 'it gets more rights';

/** A capability of Linux, without which the system refuses an attack that nothing else stops. */
export type Capability = keyof typeof CAPABILITIES;

/** Bits of `CapEff` in /proc/self/status (capabilities(7)). */
export const CAPABILITIES = {
  CAP_CHOWN: 0,
  CAP_DAC_OVERRIDE: 1,
  CAP_DAC_READ_SEARCH: 2,
  CAP_KILL: 5,
  CAP_NET_ADMIN: 12,
  CAP_NET_RAW: 13,
  CAP_SYS_MODULE: 16,
  CAP_SYS_CHROOT: 18,
  CAP_SYS_PTRACE: 19,
  CAP_SYS_PACCT: 20,
  CAP_SYS_ADMIN: 21,
  CAP_SYS_BOOT: 22,
  CAP_SYS_NICE: 23,
  CAP_SYS_RESOURCE: 24,
  CAP_MKNOD: 27,
  CAP_SETFCAP: 31,
  CAP_SYSLOG: 34,
} as const;

/** How an attack goes where no launcher confines it; it succeeds there if none of these says otherwise. */
export interface Unconfined {
  /** Only who has this succeeds. */
  takes?: Capability;
  /** It is not tried there, for this reason. */
  unreachable?: string;
  /** Not each kernel has what it uses: it prints LACKING then. */
  mayLack?: true;
}

export interface Attack extends Unconfined {
  /** In plain words, after “code …”. */
  name: string;
  mustNot: Harm;
  script: (place: Place) => string;
  /** Words of the gap by which Landlock tells that this succeeds in it, unless who starts it has the capability. */
  open?: { Landlock: string; unless?: Capability };
}

export type Row = readonly [name: string, script: Attack['script'], more?: Unconfined & Pick<Attack, 'open'>];

/** Attacks that all do the same harm. */
export function attacks(mustNot: Harm, rows: readonly Row[]): readonly Attack[] {
  return rows.map(([name, script, more]) => ({ name, mustNot, script, ...more }));
}
