/** A named set of tools under the names that one kind of client knows. */
import { z } from 'zod';
import type { Tool, ToolListing } from '../tool';

export interface Profile {
  name: string;
  /** Server instructions, under 300 words. */
  instructions: string;
  tools: readonly Tool[];
}

/** The tools as `tools/list` tells them; schemas are converted here, once. */
export function listTools({ tools }: Profile): ToolListing[] {
  return tools.map(({ name, title, description, scope, args, result, annotations }) => ({
    scope,
    tool: {
      name,
      title,
      description,
      inputSchema: objectSchema(args, 'input'),
      outputSchema: objectSchema(result, 'output'),
      annotations,
    },
  }));
}

function objectSchema(schema: z.ZodType, io: 'input' | 'output'): ToolListing['tool']['inputSchema'] {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      dropBoundsOfIntegers(jsonSchema);
      if (io === 'output') openToMore(jsonSchema);
      if (jsonSchema.brief) shorten(jsonSchema);
    },
  });
  return { ...rest, type: 'object' };
}

/** JSON's integers need not be told that they are exact: the two bounds would be a tenth of the whole list. */
function dropBoundsOfIntegers(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** A result may tell more one day; to say of every object that it does not would be a twentieth of the list. */
function openToMore(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

/** Of what is marked `brief` the listing says that it is an object, and another tool says the rest. */
function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  for (const part of ['brief', 'properties', 'required', 'additionalProperties']) delete schema[part];
}
