/** Who uses a name, as the image and the files know it together: one list in which a use that both know stands once. */
import type { Findings } from '../../contract/knowledge';
import type { FoundInFile } from '../files/find-in-files';
import type { FindingResult } from './findings';

/** What an image knows, with its places as results show them. */
export interface ImageUses extends Omit<Findings, 'results' | 'files'> {
  results: FindingResult[];
  /** Files in which the image knows all uses, by the names that results have. */
  files: ReadonlySet<string>;
}

/** Lines of files, in order, with what the image says is done there; then what it knows of other places.
 * @param strangers packages in which the name is another symbol */
export function usesTogether(
  image: ImageUses,
  inFiles: readonly FoundInFile[],
  strangers: ReadonlySet<string>,
): FindingResult[] {
  const isMeant = (where: string | null) => where === null || !strangers.has(where);
  const lines = inFiles.filter(({ packages = [null] }) => packages.some(isMeant));
  const known = new Set<FindingResult>();
  const told = lines.flatMap((line) => {
    const uses = image.results.filter((use) => isAt(use, line));
    for (const use of uses) known.add(use);
    if (uses.length === 0 && image.files.has(line.source.path)) return [];
    return [{ ...withoutPlaces(line), kind: uses[0]?.kind ?? line.kind }];
  });
  const others = image.results.filter((use) => !known.has(use));
  return [...told, ...once(others)];
}

/** Whether it is in the same top-level form: compilers tell of a use in a macro's arguments where the macro stands. */
function isAt({ text, source }: FindingResult, { source: place, lines, form }: FoundInFile): boolean {
  if (source?.path === undefined || source.path !== place.path) return false;
  if (source.line === undefined) return form?.toLowerCase().split(' ')[1] === text.toLowerCase();
  return lines !== undefined && lines[0] <= source.line && source.line <= lines[1];
}

/** As results show it. */
export function withoutPlaces({ lines: _, packages: __, ...line }: FoundInFile): FindingResult {
  return line;
}

/** Several uses on one line of a function are one. */
function once(uses: readonly FindingResult[]): FindingResult[] {
  return [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()];
}
