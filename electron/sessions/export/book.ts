/** A session's logical world as a book that certifies: all its commands, read page by page. */
import type { WorldCommand } from '../../contract/world';
import type { Session } from '../session/session';
import { type BookFile, bookFile } from './book-file';

/** Commands that are asked for at once. */
const PAGE = 200;

/** @param movable as in `BookContent`
 * @throws HarborError `busy` while an evaluation runs, `image_lost`, `query_failed` */
export async function sessionBook(session: Session, movable = false): Promise<BookFile> {
  const { name, project } = session.identity;
  return bookFile({ session: name, project, commands: await commandsOf(session), movable });
}

async function commandsOf(session: Session): Promise<WorldCommand[]> {
  const commands: WorldCommand[] = [];
  for (;;) {
    const last = commands.at(-1);
    const from = last === undefined ? {} : { from: last.number + 1 };
    const page = await session.ability('world').commands({ ...from, limit: PAGE, source: true });
    commands.push(...page.commands);
    if (page.commands.length === 0 || commands.length >= page.total) return commands;
  }
}
