/**
 * Reads arguments as clients mean them. Many clients send every value as text, null for what they leave out,
 * or JSON text for arrays and objects. A value that has one meaning for the schema is converted; any other
 * stays as it is, so that validation refuses it.
 */
import type { z } from 'zod';

/** Optional arguments for which an empty text differs from none. */
const KEEPS_EMPTY: ReadonlySet<string> = new Set(['body', 'content', 'new_text', 'old_text']);

/** Optional arguments that restrict the call, so that null and an empty text do not leave them out. */
const RESTRICTS: ReadonlySet<string> = new Set(['guard', 'guard_token']);

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

type Schema = z.core.$ZodType;

/** Returns `value` as `schema` accepts it if it has exactly one meaning there, else `value`. */
export function coerced(schema: Schema, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
      return isNothing(value, def.innerType) ? undefined : coerced(def.innerType, value);
    case 'nullable':
    case 'readonly':
    case 'nonoptional':
      return value === null ? value : coerced(def.innerType, value);
    case 'pipe':
      return coerced(def.out, coerced(def.in, value));
    case 'boolean':
      return typeof value === 'string' ? (BOOLEANS.get(value.trim().toLowerCase()) ?? value) : value;
    case 'number':
      return typeof value === 'string' ? numberIn(value) : value;
    case 'enum':
      return typeof value === 'string' ? choiceIn(Object.values(def.entries), value) : value;
    case 'array': {
      const list = fromJson(value, '[');
      return Array.isArray(list) ? list.map((each) => coerced(def.element, each)) : value;
    }
    case 'object':
      return coercedMembers(def.shape, fromJson(value, '{'), value);
    case 'record':
      return fromJson(value, '{');
    case 'union':
      return intendedIn(def.options, value);
    default:
      return value;
  }
}

/** Reports whether the value leaves an optional argument out: null, or blank text that the type refuses. */
function isNothing(value: unknown, inner: Schema): boolean {
  if (value === null) return true;
  return typeof value === 'string' && value.trim() === '' && !accepts(inner, value);
}

function coercedMembers(shape: Readonly<Record<string, Schema>>, members: unknown, given: unknown): unknown {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return given;
  const taken = Object.entries(members).flatMap(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) return value === null ? [] : [[name, value] as const];
    if (RESTRICTS.has(name) && (value === null || value === '')) return [[name, value] as const];
    const isOptional = accepts(schema, undefined);
    const intended =
      isOptional && value === '' && !KEEPS_EMPTY.has(name) ? undefined : coerced(schema, value);
    return intended === undefined ? [] : [[name, intended] as const];
  });
  return Object.fromEntries(taken);
}

function numberIn(text: string): unknown {
  const written = text.trim();
  const number = Number(written);
  const isExact = NUMBER.test(written) && (Number.isSafeInteger(number) || !Number.isInteger(number));
  return isExact && Number.isFinite(number) ? number : text;
}

/** Returns the only choice that is `text` in other letter case, else `text`. */
function choiceIn(choices: readonly unknown[], text: string): unknown {
  const written = text.trim().toLowerCase();
  const [first, ...others] = choices.filter((each) => String(each).toLowerCase() === written);
  return first === undefined || others.length > 0 || choices.includes(text) ? text : first;
}

/** Parses JSON text that begins with `bracket`; returns any other value as it is. */
function fromJson(value: unknown, bracket: '[' | '{'): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(bracket)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * Returns the only meaning of `value` among the alternatives. The text of a number is that number if one of
 * them is a number; otherwise a value that is accepted as it is stays.
 */
function intendedIn(options: readonly Schema[], value: unknown): unknown {
  const number = typeof value === 'string' ? numberIn(value) : value;
  if (options.some((option) => accepts(option, number))) return number;
  const meanings = options.flatMap((option) => {
    const intended = coerced(option, value);
    return accepts(option, intended) ? [intended] : [];
  });
  return meanings.length === 1 ? meanings[0] : value;
}

function accepts(schema: Schema, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}
