/** Raw Lisp below ACL2: closed until a person opens it for a session, and then said of every result. */
import { expect, it } from 'vitest';
import { Engines } from '../../electron/images/discovery';
import type { Session } from '../../electron/sessions/session/session';
import { engine } from './acl2-fixture';
import { sessionsFixture } from './sessions-fixture';

const RAW = '(defttag :raw) (set-raw-mode-on!) (setf (symbol-function (quote evens)) (lambda (x) 42))';
const AGAIN = "(set-raw-mode nil) (evens '(1 2 3)) (thm (equal x x))";

function acl2Sessions() {
  return sessionsFixture({ instead: { engines: new Engines([engine], () => undefined) } });
}

async function evaluated(session: Session, code: string) {
  return session.evaluate({ client: 'tester', grant: null, kind: 'eval', code }).settled;
}

it('is allowed by a person for as long as the image lives, and every result says so', async () => {
  const session = await acl2Sessions().open();
  expect(session.view().rawLisp).toBe(false);
  const locked = await evaluated(session, RAW);
  expect(locked.outcome).toBe('error');
  expect(locked.notes.map(({ text }) => text).join(' ')).toContain('“Allow raw Lisp…” in the session menu');
  session.settings.allowRawLisp();
  expect(session.view().rawLisp).toBe(true);
  const raw = await evaluated(session, RAW);
  expect(raw.outcome).toBe('ok');
  expect(raw.notes.map(({ text }) => text).join(' ')).toContain(
    'A person has allowed trust tags and raw Lisp',
  );
  const later = await evaluated(session, AGAIN);
  expect(later.forms[1]?.values).toEqual(['42']);
  const kinds = later.report?.proof?.issues.map(({ kind }) => kind);
  expect(kinds).toContain('raw-lisp-allowed');
  expect(later.report?.proof?.events[0]?.issues.map(({ kind }) => kind)).toContain('raw-lisp-allowed');
  await evaluated(session, '(good-bye)');
  expect((await evaluated(session, RAW)).outcome).toBe('error');
  expect(session.view()).toMatchObject({ rawLisp: false, generation: 2 });
});

it('is no lock of other engines', async () => {
  const session = await sessionsFixture().open();
  expect(session.view().rawLisp).toBeUndefined();
  expect(() => session.settings.allowRawLisp()).toThrow('raw Lisp lock');
});
