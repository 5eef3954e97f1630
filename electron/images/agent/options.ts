/** What an image that our agent serves is started with, beside its process. */
import type { AgentTraits } from './traits';

/** Where defects of an image are told; they are nobody's outcome. */
export interface AgentLog {
  warn(message: string, details?: unknown): void;
}

export interface AgentImageOptions {
  traits: AgentTraits;
  log: AgentLog;
  /** The session's folder where the image may save itself. */
  checkpoints: string;
  /** Where SLIME is, asked when Emacs is to be attached; absent where it cannot be. @throws HarborError `slime_missing` */
  slimeFolder?: () => string;
}
