/** What the portable part of the agent offers: evaluation and names, without what needs SBCL's own debugger, heap and processes. */
import { describeEnd } from '../agent/image-end';
import { AgentLoader } from '../agent/loader';
import type { AgentTraits } from '../agent/traits';
import type { Implementation } from './implementation';

export function traitsOf({ engine, title, prompt, patience }: Implementation): AgentTraits {
  return {
    engine,
    title,
    prompt: (_level, packageName) => prompt(packageName),
    describeEnd: (end, stderr) => describeEnd(title, end, stderr, []),
    loader: new AgentLoader(['test-op']),
    expanders: { once: 'macroexpand-1', full: 'macroexpand' },
    debugger: false,
    inspector: false,
    memory: false,
    forks: false,
    patience,
  };
}
