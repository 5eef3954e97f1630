/** What an inspector shows of an object, as zod schemas. Objects have numbers, good for the life of their image. */
import { z } from 'zod';

/** A fact about an object in words, such as its length or its class's precedence list. */
export const Fact = z.object({ name: z.string(), text: z.string() });
export type Fact = z.infer<typeof Fact>;

/**
 * One part: `text` is the printed value, `unbound` that there is none, `problem` why it cannot be had. `object` is
 * there when the value has been inspected before: so a cycle is seen.
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

/** An object with one page of its parts, from number `offset` on; `total` counts all of them. */
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

/** A step to a part: its number, or its name as the inspection shows it. */
export const PathStep = z.union([z.int().min(0), z.string().min(1).max(500)]);
export type PathStep = z.infer<typeof PathStep>;

/** Where looking begins: an object, the first value of an evaluation that kept its values, or the last value of all. */
export type InspectStart = { object: number } | { evaluation: number } | { last: true };

/** Parts of an object as records: their fields, and for each part its cells, null where it has no such field. */
export const Records = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.object({ name: z.string(), cells: z.array(z.string().nullable()) })),
  total: z.int(),
});
export type Records = z.infer<typeof Records>;

const Drawn = z.array(z.union([z.null(), z.coerce.number()]));

/** The numbers in a sequence, to be drawn: of each `step` elements the lowest and the highest, null where there are none; `others`
 * counts elements that are no numbers. */
export const Numbers = z.object({
  total: z.int(),
  step: z.int().min(1),
  others: z.int(),
  low: Drawn,
  high: Drawn,
});
export type Numbers = z.infer<typeof Numbers>;

/** Some of a vector of octets, in hexadecimal digits. */
export const Octets = z.object({ digits: z.string(), total: z.int() });
export type Octets = z.infer<typeof Octets>;

/** A value as the window shows it: objects go by handles, which say so when their image is gone. */
export const InspectionView = Inspection.omit({ object: true, parts: true }).extend({
  handle: z.string(),
  parts: z.array(Part.omit({ object: true }).extend({ handle: z.string().optional() })),
});
export type InspectionView = z.infer<typeof InspectionView>;

/** What to look at: an object by its handle, or what a path leads to from there, the value of code, of an evaluation that kept its values, or the last of all. */
export const InspectFrom = z.union([
  z.object({ handle: z.string().max(40), path: z.array(PathStep).max(100).optional() }),
  z.object({ code: z.string().min(1).max(1_000_000) }),
  z.object({ evaluation: z.int() }),
  z.object({ last: z.literal(true) }),
]);
export type InspectFrom = z.infer<typeof InspectFrom>;
