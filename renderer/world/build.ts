/** A proof that is being built by instructions. Pure. */
import type { BuilderGoal } from '../../electron/contract/proof';

export interface Build {
  /** As it stands in the field. */
  conjecture: string;
  /** What is being proved; '' before a person has begun. */
  term: string;
  instructions: readonly string[];
  /** The instruction that is being typed. */
  next: string;
  goals: readonly BuilderGoal[];
  /** Why what was tried last did not succeed: what is to be proved anew, or an instruction. */
  problem: { text: string; with: 'conjecture' | 'instruction' } | null;
}

export const NO_BUILD: Build = {
  conjecture: '',
  term: '',
  instructions: [],
  next: '',
  goals: [],
  problem: null,
};

/** The event that admits what was built. */
export function builtEvent({ term, instructions }: Pick<Build, 'term' | 'instructions'>): string {
  return `(defthm a-name\n  ${term}\n  :instructions (${instructions.join(' ')}))`;
}
