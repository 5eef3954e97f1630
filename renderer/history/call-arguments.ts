/** The arguments of a call as a person reads them. Pure. */

/** Each as text, in the order they were given; what is no object is one argument. @param json as the history keeps it */
export function argumentTexts(json: string): { name: string; text: string }[] {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, each]) => ({
    name,
    text: typeof each === 'string' ? each : JSON.stringify(each, null, 2),
  }));
}
