/** Code is read before any of it runs: half of a form means that something was forgotten. */
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import type { Session } from '../../sessions/session/session';
import { diagnosisText } from '../../source/diagnosis';
import { dialectOf } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { LARGEST_FILE, textOf } from '../../source/text-file';
import { unclosed } from '../../source/unclosed';
import { shortPath } from '../source-places';
import { ofLoading } from './lean-report';

/** @throws HarborError `unbalanced_code`, with the place and what probably mends it */
export function requireBalanced(code: string, session: Session): void {
  const problem = problemOf(code, session);
  if (problem !== null) throw new HarborError('unbalanced_code', `${problem} Nothing was evaluated.`);
}

/**
 * The same of a file that is to be loaded.
 * @param file its real path
 * @throws HarborError `unbalanced_code`
 */
export async function requireBalancedFile(
  file: string,
  session: Session,
  files: GuardedFiles,
): Promise<void> {
  const problem = await problemIn(file, session, files);
  if (problem !== null) throw new HarborError('unbalanced_code', `${problem} Nothing of it was loaded.`);
}

/** Files that are looked at where a system did not load. */
const MOST_FILES = 3;

/** What is wrong with files of which `row` tells that they could not be loaded: systems are read by their engine alone. */
export async function unbalancedFiles(
  row: Evaluation,
  session: Session | undefined,
  files: GuardedFiles,
): Promise<string[]> {
  if (!session || !ofLoading(row)) return [];
  const failed = new Set(row.report?.failures.flatMap(({ file }) => file ?? []));
  const problems = [...failed].slice(0, MOST_FILES).map((file) => problemIn(file, session, files));
  return (await Promise.all(problems)).filter((problem) => problem !== null);
}

/** null also for what may not be read here, or is no source: its engine decides. */
async function problemIn(file: string, session: Session, files: GuardedFiles): Promise<string | null> {
  const { project } = session.identity;
  const read = await files.read(project, file).catch(nullForRefused);
  const text = read && read.bytes.length <= LARGEST_FILE ? textOf(read.bytes) : null;
  const problem = text && problemOf(text.text, session);
  return problem && `${shortPath(file, project)}: ${problem}`;
}

function problemOf(code: string, { identity, image }: Session): string | null {
  const diagnosis = image.hasOwnSyntax ? null : unclosed(code, dialectOf(identity.engine));
  return diagnosis && diagnosisText(diagnosis);
}

function nullForRefused(error: unknown): null {
  if (error instanceof HarborError) return null;
  throw error;
}
