/** A named set of tools under the names that one kind of client knows. */
import { z } from 'zod';
import type { EngineName } from '../../contract/model';
import type { Caller, Tool, ToolListing } from '../tool';
import { isAlwaysSent } from '../wire-data';

/** For whom a connection is made; what it is told may change while the connection lasts. */
export type Joining = Readonly<Pick<Caller, 'client' | 'project' | 'profileChosen'>>;

export interface Profile {
  name: string;
  /** Server instructions, under 300 words. */
  instructions: string;
  tools: readonly Tool[];
  /** Whether sessions have names of its own in its arguments, and not the handles of the harbor. */
  namesSessions?: boolean;
  /** Whether calls are refused whose arguments it does not know: its clients know ours, so that one means something. Where
   * clients were made for another system, what that knew and we do not is passed over with a note. */
  refusesUnknown?: boolean;
  /** Whether its tools are listed without titles and what they answer: they are many, and their clients read the text. */
  listsBriefly?: boolean;
  /** Names of tools that an agent needs in its first turn, where a program keeps the others behind a search. */
  alwaysLoaded?: readonly string[];
  /** Whether its clients may just post their calls over HTTP, without a session. */
  plainCalls?: boolean;
  /** Engine of connections that name none; absent: the harbor's default. */
  engine?: EngineName;
  /** A connection has begun; answers what to do when it has ended. */
  joined?(joining: Joining): () => Promise<void>;
  /** The package that a connection's default session of `engine` begins in, asked for each; absent: the engine's usual one. */
  package?(engine: EngineName | undefined): string | undefined;
}

/** The tool of that name, however a client separates its words: `fs.read_file` and `fs/read_file` are `fs-read-file`. */
export function toolNamed({ tools }: Profile, name: string): Tool | undefined {
  const words = separated(name);
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => separated(tool.name) === words);
}

function separated(name: string): string {
  return name.replaceAll(/[./_]/g, '-');
}

/** Claude Code shows its model only tools with this from the beginning. */
const ALWAYS_LOADED = { _meta: { 'anthropic/alwaysLoad': true } };

/** The tools as `tools/list` tells them; schemas are converted here, once. */
export function listTools({ tools, alwaysLoaded = [], listsBriefly }: Profile): ToolListing[] {
  return tools.map(({ name, title, description, scope, approval, args, result, annotations }) => ({
    scope,
    ...(approval === undefined ? {} : { approval }),
    tool: {
      name,
      ...(listsBriefly ? {} : { title }),
      description,
      inputSchema: objectSchema(args, 'input'),
      ...(listsBriefly ? {} : { outputSchema: objectSchema(result, 'output') }),
      annotations,
      ...(alwaysLoaded.includes(name) ? ALWAYS_LOADED : {}),
    },
  }));
}

function objectSchema(schema: z.ZodType, io: 'input' | 'output'): ToolListing['tool']['inputSchema'] {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema, path }) => {
      dropIdleBounds(jsonSchema);
      if (io === 'output') outline(jsonSchema, path);
    },
  });
  return { ...rest, type: 'object' };
}

/** From here on nobody asks for more. */
const HARDLY_ASKED_FOR = 1_000_000;

/** Leaves out bounds that callers hardly come near, and that no other members are taken: a refusal tells both. */
function dropIdleBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === 0 || schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.exclusiveMinimum === 0) delete schema.exclusiveMinimum;
  if ((schema.maximum ?? 0) >= HARDLY_ASKED_FOR) delete schema.maximum;
  delete schema.maxItems;
  delete schema.maxLength;
  delete schema.minLength;
}

/** Results may gain members, so none is ruled out. Of members that are objects only the names are told: agents pay for
 * every word of the listing in each conversation, and the text of a result shows the rest. */
function outline(schema: z.core.JSONSchema.BaseSchema, path: readonly (string | number)[]): void {
  delete schema.additionalProperties;
  if (schema.required) schema.required = schema.required.filter(isAlwaysSent);
  if (schema.type !== 'object' || !path.includes('properties')) return;
  delete schema.properties;
  delete schema.required;
}
