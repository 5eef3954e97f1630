/** What a final check is asked for: a book of the session's project, or the session itself, written as a book. */
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { FinalCheckRequest } from '../../images/world';
import { realPath } from '../../sandbox/real-path';
import type { EvaluationRequest } from '../session/evaluation-request';
import type { Session } from '../session/session';
import { sessionBook } from './book';

/** The file of a session as a book, which lies nowhere. */
const SESSION_BOOK = 'lisp-harbor-session';

export interface FinalCheckAsked {
  /** A theorem's name; absent: all theorems. */
  claim?: string | undefined;
  /** The absolute path of a book's file in the project; absent: the session. */
  file?: string | undefined;
  /** Names of the trust tags that it may use. */
  trustTags?: readonly string[] | undefined;
}

/** @throws HarborError `not_supported` for an engine that has no such check, `bad_arguments`, `unknown_symbol`, `busy` */
export async function finalCheckOf(
  session: Session,
  { claim, file, trustTags = [] }: FinalCheckAsked,
): Promise<Pick<EvaluationRequest, 'code' | 'checks'>> {
  const tags = trustTags.map(checkedTag);
  const asked =
    file === undefined ? await ofSession(session, claim) : { book: bookIn(file, session), claim, notes: [] };
  const checks = { ...asked, claim: asked.claim ?? null, trustTags: tags };
  const about = claim === undefined ? '' : ` of the theorem ${claim},`;
  const from = file === undefined ? 'the session' : `the book ${checks.book}`;
  return { code: `; final check${about} rebuilt from ${from}`, checks };
}

/** The claim is told as the session's world has it. */
async function ofSession(
  session: Session,
  claim: string | undefined,
): Promise<Omit<FinalCheckRequest, 'claim' | 'trustTags'> & { claim?: string }> {
  const world = session.ability('world');
  const said = await world.statements(claim ?? null);
  const { text, portcullis, left } = await sessionBook(session, true);
  const texts = new Map([[`${SESSION_BOOK}.lisp`, text]]);
  if (portcullis !== null) texts.set(`${SESSION_BOOK}.acl2`, portcullis);
  return {
    book: SESSION_BOOK,
    texts,
    session: said,
    ...(claim === undefined ? {} : { claim: said.statements[0]?.name ?? claim }),
    notes: left.map((form) => `Left out, because no book may hold it: ${form}`),
  };
}

function bookIn(file: string, session: Session): string {
  session.ability('world');
  return path.relative(realPath(session.identity.project), file).replace(/\.lisp$/, '');
}

/** @throws HarborError `bad_arguments` */
function checkedTag(written: string): string {
  const name = written.replace(/^:/, '').toUpperCase();
  if (/^[A-Z0-9!$%&*+\-./<=>?@^_~]{1,100}$/.test(name)) return name;
  throw new HarborError('bad_arguments', `${written} is no name of a trust tag, such as :FAST-CAT.`);
}
