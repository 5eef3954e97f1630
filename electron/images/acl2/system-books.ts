/** The books that come with ACL2, which `:dir :system` names, and what is told where they are not found. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

export interface BooksProblem {
  /** In a sentence, with what to do about it. */
  sentence: string;
  /** Whether a person has named a folder that holds none. */
  named: boolean;
}

const HOW =
  'On Debian and Ubuntu `apt install acl2-books` brings them (2.4 GB); elsewhere name their folder by `--books DIR` or in the environment variable ACL2_BOOKS.';

/** @param named a folder that a person has named, which comes before what is found */
export async function findBooks(
  image: string,
  named: string | undefined,
): Promise<{ books: string | undefined; booksProblem: BooksProblem | null }> {
  const books = await firstWithBooks([named, ...usualBooks(image)]);
  return { books, booksProblem: await problemOf(books, named) };
}

async function problemOf(books: string | undefined, named: string | undefined): Promise<BooksProblem | null> {
  const wrong = named !== undefined && !(await holdsBooks(named));
  if (wrong && books !== undefined)
    return { sentence: `${named} holds no book of ACL2’s: those in ${books} are used.`, named: true };
  if (books !== undefined) return null;
  const where = wrong ? `${named} holds no book of ACL2’s` : 'ACL2’s books are not installed here';
  return { sentence: `${where}. ${HOW}`, named: wrong };
}

/** What can be done about the error of a form that looked in the system's folder of books; null of any other.
 * @param folder that ACL2 takes for it, whether it is there or not */
export function booksAdvice(
  message: string,
  folder: string | null,
  problem: BooksProblem | null,
): string | null {
  const looked = folder !== null && message.includes(folder) && /does\s+not\s+exist/.test(message);
  return looked && problem ? problem.sentence : null;
}

/** Beside the image, and where Debian has them: of /usr/lib/acl2-8.5dfsg in /usr/share/acl2-8.5dfsg. */
function usualBooks(image: string): string[] {
  const folder = path.dirname(image);
  return [path.join(folder, 'books'), path.join('/usr/share', path.basename(folder), 'books')];
}

async function firstWithBooks(folders: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const folder of folders)
    if (folder !== undefined && (await holdsBooks(folder))) return realpath(folder);
  return undefined;
}

/** Debian keeps the compiled files of books in a folder of that name as well, with no book in it. */
async function holdsBooks(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name.endsWith('.lisp'))) return true;
  for (const { name } of entries) {
    const names = await readdir(path.join(folder, name)).catch(() => []);
    if (names.some((inside) => inside.endsWith('.lisp'))) return true;
  }
  return false;
}
