/**
 * Form fields for the arguments of a tool, from its schema. Arguments that no field fits are entered as JSON.
 */
import type { OfferedTool } from '../../electron/contract/harbor-status';

export type FieldKind = 'line' | 'text' | 'number' | 'choice' | 'json';

export interface ArgumentField {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  about: string;
  /** Options of a choice. */
  options: readonly string[];
}

interface Schema {
  type?: unknown;
  enum?: unknown;
  description?: unknown;
}

/** Returns the fields, required ones first. */
export function fieldsOf({ inputSchema }: Pick<OfferedTool, 'inputSchema'>): ArgumentField[] {
  const { properties, required } = inputSchema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) =>
    fieldOf(name, isObject(schema) ? schema : {}, needed.has(name)),
  );
  return fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): ArgumentField {
  const about = typeof schema.description === 'string' ? schema.description : '';
  const named = Array.isArray(schema.enum) ? schema.enum.filter((each) => typeof each === 'string') : [];
  const options = schema.type === 'boolean' ? ['true', 'false'] : named;
  return { name, isRequired, about, options, kind: kindOf(name, schema, options) };
}

function kindOf(name: string, { type }: Schema, options: readonly string[]): FieldKind {
  if (options.length > 0) return 'choice';
  if (type === 'integer' || type === 'number') return 'number';
  if (type !== 'string') return 'json';
  return /^(?:code|content|text|form)$/.test(name) ? 'text' : 'line';
}

/** Returns the arguments as JSON without empty fields. `problem` names a field that cannot be parsed. */
export function argumentsOf(
  fields: readonly ArgumentField[],
  typed: Readonly<Record<string, string>>,
): { json: string } | { problem: string } {
  const filled: Record<string, unknown> = {};
  for (const field of fields) {
    const text = typed[field.name] ?? '';
    if (text.trim() === '') continue;
    const value = parsed(field, text);
    if (value === undefined) return { problem: field.name };
    filled[field.name] = value;
  }
  return { json: JSON.stringify(filled, null, 2) };
}

function parsed({ kind, options }: ArgumentField, text: string): unknown {
  if (kind === 'line' || kind === 'text') return text;
  if (kind === 'choice') return options.includes('true') && options.length === 2 ? text === 'true' : text;
  try {
    const value: unknown = JSON.parse(text);
    return kind === 'number' && typeof value !== 'number' ? undefined : value;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats a JSON message with indentation; returns other text unchanged. */
export function indented(message: string): string {
  try {
    return JSON.stringify(JSON.parse(message), null, 2);
  } catch {
    return message;
  }
}
