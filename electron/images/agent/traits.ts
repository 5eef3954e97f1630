/** What tells the Lisps apart that run our agent: their names, and what of the agent each one can carry. */
import type { EngineName } from '../../contract/model';
import type { LaunchEnd } from '../../launchers/launcher';
import type { Replayer } from '../image';
import type { Sampler } from '../optional-groups';
import type { Expanders } from './knowledge';
import type { AgentLoader } from './loader';

export interface AgentTraits {
  engine: EngineName;
  /** The name that people know it by. */
  title: string;
  /** As the Lisp's own; `level` counts debugger levels, 0 is the top. */
  prompt(level: number, packageName: string): string;
  /** How its process ended; `stderr` is what it printed last. */
  describeEnd(end: LaunchEnd, stderr: string): string;
  loader: AgentLoader;
  expanders: Expanders;
  /** Whether the agent holds unhandled conditions there. */
  debugger: boolean;
  /** Whether the agent takes values apart there. */
  inspector: boolean;
  /** Whether the agent tells what fills the heap there. */
  memory: boolean;
  /** Whether the agent copies its process there: checkpoints and branches. */
  forks: boolean;
  replayer?: Replayer;
  sampler?: Sampler;
  /** Milliseconds in which a new process must say hello. */
  patience: number;
}
