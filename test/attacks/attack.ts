/**
 * Attacks by code in a session against what is outside its project, as data. An attack is a bash script that
 * prints ESCAPED if it succeeds; it is harmless even then, because it touches only decoys.
 */

/** The content of the decoys. */
export const KEPT = 'what-nobody-should-read\n';

/** The targets of attacks. */
export interface Place {
  /** A folder next to the project for one attack, with the file `kept`. */
  outside: string;
  /** A user's home folder, with secrets as in `place.ts`. */
  home: string;
  /** The app's data folder: `bridge.secret`, `settings.json`, `harbor.sock`, `sessions/other/home/file`. */
  data: string;
  /** A project with all protected paths at its top: `.git`, `.envrc` and others. */
  project: string;
  /**
   * The subfolder of the project in which the attack starts: Landlock allows no new entries next to `.git`.
   */
  work: string;
  /** The process that starts the images. */
  harbor: number;
  victim: Victim;
  /** A host process that one attack may kill. */
  doomed: number;
  /** Listens on local IPv4 and IPv6 addresses only. */
  port: number;
  /** Listens on abstract unix sockets. */
  abstractSocket: string;
  /** A folder with unix sockets named after their programs. */
  run: string;
}

/** A host process that represents the user's programs. */
export interface Victim {
  pid: number;
  /** Its working folder, which contains the file `kept`. */
  folder: string;
  /** Its descriptor with `kept` open for writing. */
  descriptor: number;
  /** Receives datagrams on 127.0.0.1. */
  port: number;
  /** Receives datagrams on abstract sockets. */
  abstractSocket: string;
  /** A unix socket for datagrams. */
  socket: string;
  /** The key of its shared memory, semaphores and messages (ftok(3)). */
  key: number;
  /** The name of its message queue; another one has the suffix `-two`. */
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

/** A Linux capability without which the kernel refuses the attack anyway. */
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

/** The expected result without confinement; success unless stated otherwise. */
export interface Unconfined {
  /** Succeeds only with this capability. */
  takes?: Capability;
  /** Not tried there, for this reason. */
  unreachable?: string;
  /** Prints LACKING on kernels without the feature it uses. */
  mayLack?: true;
}

export interface Attack extends Unconfined {
  /** Description, after “code …”. */
  name: string;
  mustNot: Harm;
  script: (place: Place) => string;
  /**
   * Part of the gap with which Landlock reports that this attack succeeds, unless the capability is missing.
   */
  open?: { Landlock: string; unless?: Capability };
}

export type Row = readonly [name: string, script: Attack['script'], more?: Unconfined & Pick<Attack, 'open'>];

/** Attacks with the same effect. */
export function attacks(mustNot: Harm, rows: readonly Row[]): readonly Attack[] {
  return rows.map(([name, script, more]) => ({ name, mustNot, script, ...more }));
}
