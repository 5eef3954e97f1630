/** What SBCL carries of the agent: all of it. */
import { describeEnd, type LastLines } from '../agent/image-end';
import { AgentLoader } from '../agent/loader';
import type { AgentTraits } from '../agent/traits';
import { SbclReplayer } from './replayer';

/** Of SBCL's runtime (2.2.9: gencgc.c, interr.c). */
const LAST_LINES: LastLines = [
  [/Heap exhausted during (?:garbage collection|allocation)/, 'its heap was full'],
  [/Control stack exhausted/, 'its control stack was full'],
  [/fatal error encountered in SBCL/, 'its runtime met a fatal error'],
];

export const SBCL: AgentTraits = {
  engine: 'sbcl',
  title: 'SBCL',
  /** SBCL counts its debugger's prompts from 0. */
  prompt: (level) => (level === 0 ? '* ' : `${level - 1}] `),
  describeEnd: (end, stderr) => describeEnd('SBCL', end, stderr, LAST_LINES),
  loader: new AgentLoader(['fiveam', 'fiasco', 'parachute', 'rove', 'rt', 'test-op']),
  expanders: { once: 'macroexpand-1', full: 'sb-cltl2:macroexpand-all' },
  debugger: true,
  inspector: true,
  memory: true,
  forks: true,
  replayer: new SbclReplayer(),
  profiler: { modes: ['cpu', 'alloc'] },
  patience: 30_000,
};
