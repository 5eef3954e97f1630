/** The optional group of an image that tells where the time and the memory of an evaluation go. */
import type { ProfileMode } from '../contract/profile';

export interface Profiler {
  /** What `EvaluateRequest.profile` may ask for; the profile is then in the report of the outcome. */
  readonly modes: readonly ProfileMode[];
}
