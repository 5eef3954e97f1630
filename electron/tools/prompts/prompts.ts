/** All prompts, in the order in which clients show them. */
import { debugCondition } from './debug-condition';
import type { Prompt } from './prompt';
import { proveTheorem } from './prove-theorem';
import { type ReplWorkOptions, startReplWork } from './start-repl-work';

export type PromptsOptions = ReplWorkOptions;

export function prompts(options: PromptsOptions): readonly Prompt[] {
  return [startReplWork(options), proveTheorem(options), debugCondition(options)];
}
