/** All prompts, in the order in which clients show them. */
import type { Prompt } from './prompt';
import { proveTheorem } from './prove-theorem';

export const PROMPTS: readonly Prompt[] = [proveTheorem];
