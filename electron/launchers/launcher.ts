/**
 * How an image is started. A launcher returns streams and a way to send signals, never a pid: under
 * bubblewrap the pid that Node sees is the wrapper's.
 */
import type { Duplex, Readable } from 'node:stream';
import type { ImageHost } from '../contract/image-host';
import type { SandboxReport } from '../contract/model';
import type { Confinement } from '../sandbox/confinement';

/** A program with its wire on descriptor 3. `env` is its whole environment; nothing is inherited. */
export interface Program {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Files and folders that the program must read to run, such as its core or its runtime. */
  needs: readonly string[];
  /** Whether it starts no other program. Where system calls can be restricted, it then cannot. */
  alone?: boolean;
}

/** How the process ended: with an exit code, by a signal, or with `error` if it could not be started. */
export interface LaunchEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: string;
  /** Set if the link to its host broke, so that its end is not known. */
  lost?: string;
  /** Set if it was killed because it and its child programs exceeded this memory limit in bytes. */
  exceededBytes?: number;
}

/** The engine's process as the host sees it. */
export interface Usage {
  pid: number;
  memoryBytes: number;
  /** Processor time used in seconds, on all processors, including kernel time. */
  cpuSeconds: number;
}

/** The activity of the engine's process. */
export interface Activity {
  /** As in `Usage`. */
  cpuSeconds: number;
  /** Whether a thread is running, runnable, or waiting for a disk. */
  wantsProcessor: boolean;
  /** Bytes read from its output and wire. */
  bytesRead: number;
}

/** New entries of a folder that replaces one of the user's, with paths as the image sees them. */
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
  /** Resolves when the signal is sent; the process receives it before anything written to it later. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** Resolves once, never rejects. */
  ended: Promise<LaunchEnd>;
  /**
   * Returns null if the host does not report it or the process is gone. `fork` selects a fork of the engine
   * by the pid that the engine knows.
   */
  usage(fork?: number): Promise<Usage | null>;
  /** Like `usage`, but cheaper. Absent if the host never reports it. */
  activity?(fork?: number): Promise<Activity | null>;
  /**
   * Returns files that code wrote to private folders since the last call; cheap. Absent if there is no such
   * folder, or the host cannot read it.
   */
  privateEntries?(): Promise<readonly PrivateEntries[]>;
}

/** Another machine on which a launcher starts images. */
export interface Machine {
  readonly host: ImageHost;
  /**
   * Runs lines of a shell script there and returns what they print.
   * @throws HarborError `engine_unavailable` with the message of the connection or of the script
   */
  run(lines: readonly string[]): Promise<string>;
  /**
   * Returns the path of a project there.
   * @throws HarborError `bad_arguments` if the settings have none
   */
  projectThere(project: string): string;
  /** Finds out what the machine has, which a launch needs. @throws HarborError `engine_unavailable` */
  prepare(): Promise<void>;
}

export interface Launcher {
  readonly sandbox: SandboxReport;
  /** The machine that images start on; absent: this computer. */
  readonly machine?: Machine;
  /**
   * Announces that an image is about to start, so that slow system work can begin. Absent if there is none.
   */
  expectImage?(): void;
  launch(program: Program, confinement: Confinement): Launched;
}

/** Returns the report for an image started with this confinement. */
export function reportOf(sandbox: SandboxReport, { network }: Confinement): SandboxReport {
  return network ? { ...sandbox, network } : sandbox;
}
