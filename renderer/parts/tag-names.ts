/** Names of trust tags as somebody types them, with commas or blanks between. */
export function tagNames(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((name) => name !== '');
}
