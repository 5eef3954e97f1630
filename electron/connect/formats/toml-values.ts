/** Values as TOML writes them. Pure. */

/** `key = value`, a line. */
export function tomlLine(key: string, value: unknown): string {
  return `${tomlKey(key)} = ${tomlValue(value)}`;
}

export function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlString(key);
}

/** In one line. */
export function tomlValue(value: unknown): string {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    const lines = Object.entries(value).map(([key, inner]) => tomlLine(key, inner));
    return lines.length === 0 ? '{}' : `{ ${lines.join(', ')} }`;
  }
  return String(value);
}

/** A string of JSON is one of TOML, but for one character. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
