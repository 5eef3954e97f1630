/** The optional group of an image whose values can be looked into, part by part. */
import type { Inspection, InspectStart, PathStep } from '../contract/inspection';

export interface InspectRequest {
  start: InspectStart;
  path: readonly PathStep[];
  offset: number;
  /** Parts to show; absent means as many as are usual for that kind of object. */
  limit?: number;
}

/**
 * Answers while an evaluation runs. May fail with a HarborError: `unknown_handle`, `unknown_part`, `took_too_long`,
 * `query_failed`, `image_lost`.
 */
export interface Inspector {
  inspect(request: InspectRequest): Promise<Inspection>;
  /** Code that puts the value of `expression` into the part at `path`; it is evaluated like any other. */
  settingCode(object: number, path: readonly PathStep[], expression: string): string;
}
