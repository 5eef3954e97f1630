/** Sentences with something drawn in them: a name in bold, a link, code. */

/** `` sentence`${name} is held.` ``: the parts in their order, as `Sentence` of the window draws them. */
export function sentence<T>(
  texts: TemplateStringsArray,
  ...drawn: readonly (string | T)[]
): readonly (string | T)[] {
  return texts.flatMap((text, index) => [text, ...drawn.slice(index, index + 1)]);
}
