/** Walking through the forms that were evaluated before, whole forms at a time. Pure. */

/** `place` counts back from the newest; null: what is being written, which is kept as `draft` meanwhile. */
export interface Walk {
  place: number | null;
  draft: string;
}

export const AT_DRAFT: Walk = { place: null, draft: '' };

/** The step to an older form. @param forms newest first @param text what stands in the editor now */
export function older(forms: readonly string[], { place, draft }: Walk, text: string): [Walk, string] | null {
  const next = place === null ? 0 : place + 1;
  const form = forms[next];
  if (form === undefined) return null;
  return [{ place: next, draft: place === null ? text : draft }, form];
}

/** The step to a newer one, and from the newest back to what was being written. */
export function newer(forms: readonly string[], { place, draft }: Walk): [Walk, string] | null {
  if (place === null) return null;
  if (place === 0) return [AT_DRAFT, draft];
  const form = forms[place - 1];
  return form === undefined ? null : [{ place: place - 1, draft }, form];
}

/** What was cleared from the editor and never sent. `below` was the newest form then. */
export interface Cleared {
  text: string;
  below: string | null;
}

/** The forms with what was cleared where that happened, each once, newest first. @param cleared oldest first */
export function withCleared(forms: readonly string[], cleared: readonly Cleared[]): string[] {
  const all = [...forms];
  for (const { text, below } of cleared.toReversed()) {
    const place = below === null ? -1 : all.indexOf(below);
    all.splice(place < 0 ? all.length : place, 0, text);
  }
  return distinct(all);
}

/** Forms with each written the same only once, the newest kept. */
export function distinct(forms: readonly string[]): string[] {
  return [...new Set(forms.map((form) => form.trim()).filter(Boolean))];
}
