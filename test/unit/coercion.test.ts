/** Arguments as clients send them: every argument of every tool of every profile in each form that means the same. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { profiles } from '../../electron/compat/compat';
import { acceptedArguments } from '../../electron/tools/arguments';
import { coerced } from '../../electron/tools/coercion';

/** Arguments that restrict a call: nothing does not leave them out. */
const RESTRICTING = ['guard', 'guard_token'];

type Options = Parameters<typeof profiles>[0];

/** Tools ask for services only when they run. */
const tools = profiles({} as Options).flatMap(({ name: profile, tools: all }) =>
  all.map((tool) => ({ profile, tool, named: `${tool.name} of ${profile}` })),
);

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Values that the schema may accept, of each type that it names. */
function samples(schema: JsonSchema): unknown[] {
  const options = schema.anyOf ?? schema.oneOf;
  // Where a number is an alternative, its text means the number.
  if (options) return options.flatMap((each) => samples(each as JsonSchema)).filter((each) => each !== '1');
  if (schema.enum) return [...schema.enum];
  switch (schema.type) {
    case 'string':
      return ['a', '1', 'job-1', 'sbcl', 'replace'];
    case 'integer':
      return [1, 12, 1000];
    case 'number':
      return [1, 1.5];
    case 'boolean':
      return [true, false];
    case 'array':
      return samples((schema.items ?? {}) as JsonSchema).map((each) => [each]);
    case 'object': {
      const required = schema.required ?? [];
      const members = Object.entries(schema.properties ?? {}).map(([name, each]) => ({
        name,
        values: samples(each as JsonSchema),
      }));
      const needed = members.filter(({ name }) => required.includes(name));
      const most = Math.max(1, ...needed.map(({ values }) => values.length));
      const whole = Array.from({ length: most }, (_, place) =>
        Object.fromEntries(needed.map(({ name, values }) => [name, values[place % values.length]])),
      );
      return [...whole, ...members.map(({ name, values: [first] }) => ({ ...whole.at(-1), [name]: first }))];
    }
    default:
      return [];
  }
}

/** The forms in which clients send a value. */
function forms(value: unknown): unknown[] {
  if (typeof value === 'string') return [value];
  const text = JSON.stringify(value);
  const others =
    typeof value === 'boolean' ? [text.toUpperCase(), `${text[0]?.toUpperCase()}${text.slice(1)}`] : [];
  return [value, text, ` ${text} `, ...others];
}

describe.each(tools)('$named', ({ tool }) => {
  const shape = tool.args.shape as Record<string, z.ZodType>;

  it('takes each value in each form that means it', () => {
    for (const [name, schema] of Object.entries(shape)) {
      const accepted = samples(z.toJSONSchema(schema, { io: 'input' })).filter(
        (value) => schema.safeParse(value).success,
      );
      expect(accepted, name).not.toEqual([]);
      // Text is a value of its own where the schema takes text.
      const isText = schema.safeParse('[1]').success;
      for (const value of accepted)
        for (const form of isText ? [value] : forms(value))
          expect(schema.parse(coerced(schema, form)), `${name} as ${JSON.stringify(form)}`).toEqual(
            schema.parse(value),
          );
    }
  });

  it('takes null for what may be left out, and refuses it for the rest', () => {
    for (const [name, schema] of Object.entries(shape)) {
      const optional = schema.safeParse(undefined).success;
      const isLeftOut = optional && !RESTRICTING.includes(name);
      expect(coerced(tool.args, { [name]: null }), name).toEqual(isLeftOut ? {} : { [name]: null });
      if (!isLeftOut) expect(schema.safeParse(null).success, name).toBe(false);
    }
  });

  it('takes an empty text for what may be left out, texts to write excepted', () => {
    for (const [name, schema] of Object.entries(shape)) {
      if (!schema.safeParse(undefined).success) continue;
      const kept = ['body', 'content', 'new_text', 'old_text', ...RESTRICTING].includes(name);
      expect(coerced(tool.args, { [name]: '' }), name).toEqual(kept ? { [name]: '' } : {});
    }
  });
});

describe('what has no single meaning stays and is refused', () => {
  const args = z.strictObject({
    flag: z.boolean().optional(),
    count: z.int().optional(),
    ratio: z.number().optional(),
    how: z.enum(['a', 'A', 'b']).optional(),
    names: z.array(z.string()).optional(),
    some: z.union([z.boolean(), z.array(z.string())]).optional(),
    place: z.strictObject({ line: z.int() }).optional(),
  });
  it.each([
    ...['yes', 'no', '1', 'on', 1, 0, [true]].map((flag) => ({ flag })),
    ...['1,000', '1.5', '0x10', '1ms', '1 000', '٣', 'NaN', 'Infinity', '9007199254740993', true, [1]].map(
      (count) => ({ count }),
    ),
    ...['1e999', '1,5', '--1', '1/2'].map((ratio) => ({ ratio })),
    ...['c', 'a b', ['a'], 1].map((how) => ({ how })),
    ...['a', 'a,b', '[a]', "['a']", '{"0":"a"}', '[1]', { 0: 'a' }, 1].map((names) => ({ names })),
    ...['a', '{}', 1].map((some) => ({ some })),
    ...['line 1', '[1]', '{"line":"x"}', '{"line":1', 1, [1]].map((place) => ({
      place,
    })),
  ])('%j', (given) => {
    expect(args.safeParse(coerced(args, given)).success).toBe(false);
    expect(() =>
      acceptedArguments({ name: 't', args, scope: 'read', annotations: ANNOTATIONS }, given),
    ).toThrow(/expected .*(?:true or false|such as 1000|array \[…\]|object \{…\}|one of|string|int)/);
  });
});

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

it('text stays text, whatever it looks like', () => {
  const args = z.strictObject({ code: z.string(), more: z.array(z.string()) });
  const given = { code: 'null', more: ['true', '1', '[1]', ''] };
  expect(coerced(args, given)).toEqual(given);
});
