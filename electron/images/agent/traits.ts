/**
 * The differences between the Lisps that run our agent: names, supported features, loading, and messages
 * about their end.
 */

import { lispString } from '../../contract/knowledge';
import type { EngineName } from '../../contract/model';
import type { LaunchEnd } from '../../launchers/launcher';
import type { Replayer } from '../image';
import { describeKilled } from '../image-process';
import type { Loader, LoadTarget, Sampler, TestTarget } from '../optional-groups';
import type { Expanders } from './knowledge';

export interface AgentTraits {
  engine: EngineName;
  /** Display name. */
  title: string;
  /** The Lisp's own prompt; `level` counts debugger levels, 0 is the top level. */
  prompt(level: number, packageName: string): string;
  /** Describes the end of its process; `stderr` is its last output. */
  describeEnd(end: LaunchEnd, stderr: string): string;
  loader: AgentLoader;
  expanders: Expanders;
  /** Whether unhandled conditions can be suspended. */
  debugger: boolean;
  /** Whether values can be inspected. */
  inspector: boolean;
  /** Whether heap usage can be inspected. */
  memory: boolean;
  /** Whether the process can be forked, for checkpoints and branches. */
  forks: boolean;
  replayer?: Replayer;
  sampler?: Sampler;
  /** Whether the calls of evaluations can be traced. */
  tracer?: boolean;
  /** Milliseconds of progress time until a new process must say hello. */
  progressTimeout: number;
}

/**
 * Builds code that loads and tests: calls of functions in the package LISP-HARBOR
 * (resources/lisp/backend.lisp).
 */
export class AgentLoader implements Loader {
  readonly frameworks: readonly string[];

  constructor(frameworks: readonly string[]) {
    this.frameworks = frameworks;
  }

  loadCode(target: LoadTarget): string {
    return 'file' in target
      ? `(lisp-harbor:load-file ${lispString(target.file)})`
      : `(lisp-harbor:load-system${target.systems.map((name) => ` ${lispString(name)}`).join('')})`;
  }

  freshCode(systems: readonly string[]): string {
    return `(lisp-harbor:load-system-from-sources${systems.map((name) => ` ${lispString(name)}`).join('')})`;
  }

  anewCode(system: string, compile: boolean): string {
    return `(lisp-harbor:load-system-anew ${lispString(system)}${compile ? ' :compile t' : ''})`;
  }

  testCode(target: TestTarget): string {
    const keys = (['system', 'file', 'test', 'framework'] as const).flatMap((key) => {
      const value = target[key];
      return value === undefined ? [] : [` :${key} ${lispString(value)}`];
    });
    const limit = target.seconds === undefined ? '' : ` :seconds ${target.seconds}`;
    const debug = target.debug ? ' :debug t' : '';
    return `(lisp-harbor:run-tests${keys.join('')}${limit}${debug})`;
  }
}

/** Receives internal problems of an image, which are not part of any outcome. */
export interface AgentLog {
  warn(message: string, details?: unknown): void;
}

/** Maximum number of logged problems per image; code in it can cause any number. */
const MOST_LOGGED = 200;

export function limitedLog(log: AgentLog): AgentLog {
  let count = 0;
  return {
    warn: (message, details) => {
      count += 1;
      if (count <= MOST_LOGGED) log.warn(message, details);
    },
  };
}

/** Maximum characters of a process's last output in a message. */
const SHOWN = 2_000;

/** Patterns of the last lines of a runtime, and their meaning. */
export type LastLines = readonly (readonly [RegExp, string])[];

/** Exit codes of the agent, see resources/lisp/wire.lisp. */
const AGENT_CODES: ReadonlyMap<number, string> = new Map([
  [97, 'code in it broke its connection to Lisp Harbor'],
  [98, 'Lisp Harbor ended it'],
]);

/**
 * Describes the end of a process: "SBCL exited with code 1 because its heap was full", "SBCL was killed by
 * SIGKILL".
 */
export function describeEnd(title: string, end: LaunchEnd, stderr: string, lastLines: LastLines): string {
  const { code, error, lost } = end;
  if (lost !== undefined) return `${title} is out of reach: ${lost}`;
  if (error !== undefined) return `${title} could not be started: ${error}`;
  const killed = describeKilled(title, end);
  if (killed !== null) return killed;
  const reason = (code !== null && AGENT_CODES.get(code)) || (code !== 0 && reasonIn(stderr, lastLines));
  return `${title} exited with code ${code ?? '(unknown)'}${reason ? ` because ${reason}` : ''}`;
}

/** Returns the end of the process's output; empty if there is none. */
export function lastWords(stderr: string): string {
  return stderr.trim().slice(-SHOWN);
}

function reasonIn(stderr: string, lastLines: LastLines): string | undefined {
  return lastLines.find(([pattern]) => pattern.test(stderr))?.[1];
}
