/** The evaluations that run tests, for every caller: the tool `run_tests` and the window. */
import { HarborError } from '../../contract/errors';
import { FINAL_CHECK } from '../../contract/proof';
import type { TestTarget } from '../../images/optional-groups';
import { bookFile, sourceFile, sourceFileOrFolder } from '../../sandbox/project-files';
import type { Session } from '../session/session';

/** Returns the evaluation that runs the tests. @throws HarborError `not_supported` */
export function testRequest(target: TestTarget, { loader }: Session): { code: string; certify?: string } {
  const books = loader.testedBooks?.(target);
  return { code: loader.testCode(target), ...(books === undefined ? {} : { certify: books }) };
}

/**
 * Returns the real path of a file of tests, or of a book; a folder stands for all its books, except in a final check.
 * @throws HarborError as `sourceFile`
 */
export function testedFile(
  path: string,
  { loader, identity }: Session,
  libraries: readonly string[],
  { framework }: Pick<TestTarget, 'framework'> = {},
): string {
  if (loader.bookCode === undefined) return sourceFile(path, identity.project, libraries);
  if (framework === FINAL_CHECK) return bookFile(path, identity.project, libraries);
  try {
    return bookFile(path, identity.project, libraries);
  } catch {
    return sourceFileOrFolder(path, identity.project, libraries);
  }
}

/** @throws HarborError `bad_arguments` */
export function requireFramework(framework: string | undefined, { id, loader, identity }: Session): void {
  if (framework === undefined || loader.frameworks.includes(framework)) return;
  throw new HarborError(
    'bad_arguments',
    `${framework} is not a test framework of ${id}, a session of ${identity.engine}. There are: ${loader.frameworks.join(', ')}. Another session may have it: name that one.`,
  );
}
