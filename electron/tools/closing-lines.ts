/** How the text of an answer ends: with what else there is to say, in one line, and a line for each note. */
export function closingLines(facts: readonly string[], notes: readonly string[] = []): string[] {
  return [
    ...(facts.length === 0 ? [] : [`; ${facts.join(' · ')}`]),
    ...notes.map((note) => `; note: ${note}`),
  ];
}
