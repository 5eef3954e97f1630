/** What SBCL carries of the agent: all of it. */
import { lispString } from '../../contract/knowledge';
import { describeEnd, type LastLines } from '../agent/image-end';
import { AgentLoader } from '../agent/loader';
import type { AgentTraits } from '../agent/traits';
import type { ReplayEntry } from '../checkpoints';
import { CodeReplayer } from '../code-replayer';

/** Of SBCL's runtime (2.2.9: gencgc.c, interr.c). */
const LAST_LINES: LastLines = [
  [/Heap exhausted during (?:garbage collection|allocation)/, 'its heap was full'],
  [/Control stack exhausted/, 'its control stack was full'],
  [/fatal error encountered in SBCL/, 'its runtime met a fatal error'],
];

/** Replay is a call of the function that resources/lisp/sbcl/replay.lisp defines. */
class SbclReplayer extends CodeReplayer {
  replayCode(entries: readonly ReplayEntry[], packageAfter: string): string {
    const lists = entries.map(
      ({ id, package: name, formCount, code }) =>
        `(${id} ${lispString(name)} ${formCount} ${lispString(code)})`,
    );
    return `(lisp-harbor:replay '(${lists.join(' ')}) ${lispString(packageAfter)})`;
  }
}

export const SBCL: AgentTraits = {
  engine: 'sbcl',
  title: 'SBCL',
  /** SBCL counts its debugger's prompts from 0. */
  prompt: (level) => (level === 0 ? '* ' : `${level - 1}] `),
  describeEnd: (end, stderr) => describeEnd('SBCL', end, stderr, LAST_LINES),
  loader: new AgentLoader(['fiveam', 'fiasco', 'parachute', 'rove', 'rt', 'sb-rt', 'test-op']),
  expanders: { once: 'macroexpand-1', full: 'sb-cltl2:macroexpand-all' },
  debugger: true,
  inspector: true,
  memory: true,
  forks: true,
  replayer: new SbclReplayer(),
  sampler: { modes: ['cpu', 'alloc'] },
  patience: 30_000,
};
