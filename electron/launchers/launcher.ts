/**
 * How an image is started. A launcher answers streams and a way to signal, never a pid: under bubblewrap the
 * pid that Node sees is the wrapper's, and on another host there is none.
 */
import type { Duplex, Readable } from 'node:stream';
import type { SandboxReport } from '../contract/model';
import type { Confinement } from '../sandbox/confinement';

/** A program that speaks its wire on descriptor 3. `env` is its whole environment: nothing is inherited. */
export interface Program {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Files and folders the program itself needs to read in order to run, such as its core or its runtime. */
  needs: readonly string[];
}

/** How the process ended: an exit code or a signal, or `error` when it could not be started at all. */
export interface LaunchEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: string;
  /** It was killed because it, with the programs that it had started, took more memory than these bytes. */
  exceededBytes?: number;
}

/** The engine's own process as this host sees it. */
export interface Usage {
  pid: number;
  memoryBytes: number;
  /** Processor time that it has used in seconds, on all processors and in the kernel. */
  cpuSeconds: number;
}

/** What the engine's process is about at the moment. */
export interface Activity {
  /** As in `Usage`. */
  cpuSeconds: number;
  /** Whether one of its threads has a processor, waits for one, or for a disk. */
  wantsProcessor: boolean;
  /** Bytes that were read of what it says. */
  heard: number;
}

/** What has come into a folder that stands in for the person's own, as the image names it. */
export interface PrivateEntries {
  folder: string;
  paths: readonly string[];
  lasts: 'image' | 'session';
}

export interface Launched {
  wire: Duplex;
  stdout: Readable;
  stderr: Readable;
  sandbox: SandboxReport;
  /** Settles when it is sent: the process gets it before anything that is written to it afterwards. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** Settles once, never rejects. */
  ended: Promise<LaunchEnd>;
  /**
   * null where the host does not say, or when the process is gone. `fork` asks for a copy that the engine made of
   * itself, by the pid under which the engine knows it.
   */
  usage(fork?: number): Promise<Usage | null>;
  /** As `usage`, and cheaper. Absent where the host never says. */
  activity?(fork?: number): Promise<Activity | null>;
  /** What code has written, since this was asked before, where nobody else sees it; cheap. Absent where there is no such
   * place, or this host cannot look into it. */
  privateEntries?(): Promise<readonly PrivateEntries[]>;
}

export interface Launcher {
  readonly sandbox: SandboxReport;
  /** An image is about to be started: what takes the system a while may begin. Absent where nothing does. */
  expectImage?(): void;
  launch(program: Program, confinement: Confinement): Launched;
}

/** How an image is confined that such a launcher has started so. */
export function reportOf(sandbox: SandboxReport, { network }: Confinement): SandboxReport {
  return network ? { ...sandbox, network } : sandbox;
}
