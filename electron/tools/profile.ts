/**
 * Profiles: named sets of tools under the names that one kind of client knows, and texts adapted to each
 * profile.
 */

import { z } from 'zod';
import { HarborError } from '../contract/errors';
import type { EngineName } from '../contract/model';
import type { Caller, Tool, ToolListing, ToolResult } from './tool';
import { isAlwaysSent } from './wire-data';

/** The client and project of a connection. Values may change while the connection lasts. */
export type Joining = Readonly<Pick<Caller, 'client' | 'project' | 'profileChosen'>>;

export interface Profile {
  name: string;
  /** Server instructions, under 300 words. */
  instructions: string;
  tools: readonly Tool[];
  /** Whether arguments name sessions by names of the profile instead of by the harbor's handles. */
  namesSessions?: boolean;
  /**
   * Whether a tool that only reads refuses an unknown argument that resembles a known one. Clients of our own
   * profile know our arguments, so it is a mistake. Clients made for another system may send arguments that
   * only that system has. Every other tool refuses all unknown arguments, in every profile.
   */
  refusesMisspelt?: boolean;
  /**
   * Whether `tools/list` omits titles and output schemas, for profiles with many tools whose clients read
   * only the text.
   */
  listsBriefly?: boolean;
  /** Names of tools that an agent needs in its first turn. Some programs hide the others behind a search. */
  alwaysLoaded?: readonly string[];
  /** Whether clients may post calls over HTTP without a session. */
  plainCalls?: boolean;
  /** Engine of connections that name none; absent: the harbor's default. */
  engine?: EngineName;
  /** Called when a connection begins. Returns a function to call when it ends. */
  joined?(joining: Joining): () => Promise<void>;
  /**
   * Returns the initial package of a connection's default session of `engine`; absent: the engine's usual
   * one.
   */
  package?(engine: EngineName | undefined): string | undefined;
}

/**
 * Returns the tool of that name. Separators do not matter: `fs.read_file` and `fs/read_file` are
 * `fs-read-file`.
 */
export function toolNamed({ tools }: Profile, name: string): Tool | undefined {
  const words = separated(name);
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => separated(tool.name) === words);
}

function separated(name: string): string {
  return name.replaceAll(/[./_]/g, '-');
}

/** Metadata that makes Claude Code show a tool to its model from the start. */
const ALWAYS_LOADED = { _meta: { 'anthropic/alwaysLoad': true } };

/** Returns the tools as `tools/list` sends them. Converts the schemas. */
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

/** Maxima from this value on are omitted from schemas, since no call reaches them. */
const UNREACHED_MAXIMUM = 1_000_000;

/** Removes bounds that calls rarely reach, and the ban on further members. A refusal names both. */
function dropIdleBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === 0 || schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.exclusiveMinimum === 0) delete schema.exclusiveMinimum;
  if ((schema.maximum ?? 0) >= UNREACHED_MAXIMUM) delete schema.maximum;
  delete schema.maxItems;
  delete schema.maxLength;
  delete schema.minLength;
}

/**
 * Allows further members in results and lists only the names of members that are objects. Agents pay for
 * every word of the tool list in each conversation, and the text of a result shows the rest.
 */
function outline(schema: z.core.JSONSchema.BaseSchema, path: readonly (string | number)[]): void {
  delete schema.additionalProperties;
  if (schema.required) schema.required = schema.required.filter(isAlwaysSent);
  if (schema.type !== 'object' || !path.includes('properties')) return;
  delete schema.properties;
  delete schema.required;
}

// Adapts texts to a profile. Errors and notes name our tools in backticks. Where the profile has no tool of
// that name, the name of its own adapter is used if that takes the arguments that the sentence mentions;
// otherwise the sentence or the parenthesis is removed. No client is referred to a tool that it does not
// have.

/** Returns a text as a profile words it; empty if nothing of it remains. */
export type Wording = (text: string) => string;

/** A sentence with the blanks after it, or a line. A dot inside a name does not end a sentence. */
const SENTENCE = /[\s\S]*?(?:[.!?…](?=\s|$)\s*|\n+|$)/g;
const PARENTHESIS = / ?\([^()]*\)/g;
const NAMED = /`([\w-]+)`/g;

/** @param all the tools that texts may name: those of every profile, ours first */
export function wordingOf({ tools }: Pick<Profile, 'tools'>, all: readonly Tool[]): Wording {
  const known = new Map(all.toReversed().map((tool) => [tool.name, tool]));
  const nameIn = (tool: Tool, sentence: string): string | null => {
    const spokenOf = Object.keys(tool.args.shape).filter((name) => hasWord(sentence, name));
    const ownTool = tools.find(
      ({ name, of = name, args }) => of === tool.name && spokenOf.every((each) => each in args.shape),
    );
    return ownTool?.name ?? null;
  };
  /** Returns null if the part names a tool that the profile does not have. */
  const reworded = (part: string): string | null => {
    let unknown = false;
    const renamed = part.replaceAll(NAMED, (written, name: string) => {
      const tool = known.get(name);
      const own = tool && nameIn(tool, part);
      if (own === null) unknown = true;
      return own ? `\`${own}\`` : written;
    });
    return unknown ? null : renamed;
  };
  return (text) => {
    if (reworded(text) === text) return text;
    const sentences = text.replaceAll(PARENTHESIS, (part) => reworded(part) ?? '').match(SENTENCE) ?? [];
    return sentences
      .map((sentence) => reworded(sentence) ?? '')
      .join('')
      .trimEnd();
  };
}

function hasWord(sentence: string, word: string): boolean {
  return new RegExp(`(?<![\\w\`])${word}(?![\\w\`])`).test(sentence);
}

/** Rewords the notes of a result. The rest of a result names no tool. */
export function resultIn(wording: Wording, result: ToolResult): ToolResult {
  const { structured, asides } = result;
  const notes = Array.isArray(structured.notes) ? structured.notes.map(String) : [];
  const others = notes.filter((note) => wording(note) !== note);
  const text = others.reduce((result, note) => {
    const reworded = wording(note);
    return result.replaceAll(`\n; note: ${note}`, () => (reworded === '' ? '' : `\n; note: ${reworded}`));
  }, result.text);
  return {
    ...result,
    text,
    ...(others.length === 0 ? {} : { structured: { ...structured, notes: worded(notes, wording) } }),
    ...(asides ? { asides: worded(asides, wording) } : {}),
  };
}

/** Rewords the message of an error. The message is never removed. */
export function errorIn(wording: Wording, error: unknown): unknown {
  if (!(error instanceof HarborError)) return error;
  const { message, notes } = error;
  const reworded = wording(message) || message.replaceAll(NAMED, 'that');
  return error.withMessage(reworded, worded(notes, wording));
}

function worded(notes: readonly string[], wording: Wording): string[] {
  return notes.map(wording).filter((note) => note !== '');
}
