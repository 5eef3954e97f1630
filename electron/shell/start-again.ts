/** The words of a start that follows this one. */

/** As this one was started, but in sight: somebody asked for it in the window. @param argv with the program itself */
export function wordsAgain(argv: readonly string[]): string[] {
  return argv.slice(1).filter((word) => word !== '--hidden');
}
