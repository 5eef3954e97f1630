/** What is told of definitions that are in no file, when their session ends. */
import { expect, it } from 'vitest';
import type { Findings } from '../../electron/contract/knowledge';
import { unsavedDefinitions } from '../../electron/sessions/export/session-source';
import type { Session } from '../../electron/sessions/session/session';
import { SavedDefinitions } from '../../electron/sessions/session/session-settings';
import { unsavedNotes } from '../../electron/tools/sessions/session-tools';

const changes = { unsaved: unsavedDefinitions };

/** A session whose image answers so. */
const answering = (find: () => Promise<Findings>) =>
  ({ saved: new SavedDefinitions([], () => undefined), ability: () => ({ find }) }) as unknown as Session;

it('says that nothing is known where the image does not answer', async () => {
  const notes = await unsavedNotes(
    answering(() => new Promise(() => undefined)),
    changes,
  );
  expect(notes).toEqual([{ kind: 'unsaved', text: expect.stringContaining('did not report') }]);
});

it('says nothing where the image cannot tell', async () => {
  expect(
    await unsavedNotes(
      answering(() => Promise.reject(new Error('not supported'))),
      changes,
    ),
  ).toEqual([]);
});
