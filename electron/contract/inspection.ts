/** Inspector data. Objects are identified by numbers, which are valid for the life of their image. */
import { z } from 'zod';

/** A property of an object as text, such as its length or its class precedence list. */
export const Fact = z.object({ name: z.string(), text: z.string() });
export type Fact = z.infer<typeof Fact>;

/**
 * One part. `text` is the printed value, `unbound` means no value, `problem` says why it cannot be read.
 * `object` is set if the value was inspected before, which shows cycles.
 */
export const Part = z.object({
  index: z.int(),
  name: z.string(),
  type: z.string().optional(),
  text: z.string().optional(),
  object: z.int().optional(),
  settable: z.boolean().optional(),
  unbound: z.boolean().optional(),
  problem: z.string().optional(),
});
export type Part = z.infer<typeof Part>;

/** An object with a page of its parts from `offset`; `total` counts all parts. */
export const Inspection = z.object({
  object: z.int(),
  kind: z.string(),
  type: z.string(),
  text: z.string(),
  facts: z.array(Fact),
  parts: z.array(Part),
  offset: z.int(),
  total: z.int(),
});
export type Inspection = z.infer<typeof Inspection>;

/** Step to a part: its number, or its name as in the inspection. */
export const PathStep = z.union([z.int().min(0), z.string().min(1).max(500)]);
export type PathStep = z.infer<typeof PathStep>;

/**
 * Start of an inspection: an object, the first value of an evaluation with saved values, or the last value of
 * all.
 */
export type InspectStart = { object: number } | { evaluation: number } | { last: true };

/** Parts as records: field names, and for each part its cells, null where it lacks the field. */
export const Records = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.object({ name: z.string(), cells: z.array(z.string().nullable()) })),
  total: z.int(),
});
export type Records = z.infer<typeof Records>;

const Drawn = z.array(z.union([z.null(), z.coerce.number()]));

/**
 * Numbers of a sequence, to plot: minimum and maximum of each `step` elements, null if there are none;
 * `others` counts elements that are not numbers.
 */
export const Numbers = z.object({
  total: z.int(),
  step: z.int().min(1),
  others: z.int(),
  low: Drawn,
  high: Drawn,
});
export type Numbers = z.infer<typeof Numbers>;

/** Part of a vector of octets, in hexadecimal digits. */
export const Octets = z.object({ digits: z.string(), total: z.int() });
export type Octets = z.infer<typeof Octets>;

/** An object as the window shows it. Handles report when their image no longer exists. */
export const InspectionView = Inspection.omit({ object: true, parts: true }).extend({
  handle: z.string(),
  parts: z.array(Part.omit({ object: true }).extend({ handle: z.string().optional() })),
});
export type InspectionView = z.infer<typeof InspectionView>;

/**
 * Target of an inspection: an object by its handle, a path from there, the value of code, of an evaluation with saved
 * values, or the last value of all.
 */
export const InspectFrom = z.union([
  z.object({ handle: z.string().max(40), path: z.array(PathStep).max(100).optional() }),
  z.object({ code: z.string().min(1).max(1_000_000) }),
  z.object({ evaluation: z.int() }),
  z.object({ last: z.literal(true) }),
]);
export type InspectFrom = z.infer<typeof InspectFrom>;

/**
 * A value given to Clojure's `tap>`; the image keeps the latest. `at` in milliseconds since the epoch, `text`
 * the start of its printed form.
 */
export const Tap = z.object({
  number: z.int(),
  at: z.number(),
  type: z.string(),
  text: z.string(),
  object: z.int(),
});
export type Tap = z.infer<typeof Tap>;

/** A tapped value as the window shows it; `handle` refers to the value for an inspector. */
export const TapView = Tap.omit({ object: true }).extend({ handle: z.string() });
export type TapView = z.infer<typeof TapView>;
