/** What tells the Common Lisps apart that run the portable part of our agent. */
import type { EngineName } from '../../contract/model';

/** Where a Lisp is on this machine, and how it is told to do something. */
export interface Installation {
  version: string;
  /** What people would call its place: the program, or its archive. */
  path: string;
  command: string;
  /** Arguments that evaluate one form at the start, whatever the user's own files say, and read no more input. */
  evaluate(form: string, limits: Limits): readonly string[];
  /** Files that it consists of. What was compiled with other ones is of no use to it. */
  runtime: readonly string[];
  /** Files and folders that it reads when it runs. */
  needs: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** What an image may use. `home` and `temporary` are folders of its session. */
export interface Limits {
  heapMiB: number;
  home: string;
  temporary: string;
}

export interface Implementation {
  engine: EngineName;
  title: string;
  /** Suffix of the files that it compiles to. */
  suffix: string;
  prompt(packageName: string): string;
  /** How long a start may take, in milliseconds. */
  patience: number;
  /** Told with what discovery finds: what a person should know who uses it. */
  remark?: string;
  /** @throws Error with a sentence on what is missing and how to get it */
  find(searchPath: string): Promise<Installation>;
}
