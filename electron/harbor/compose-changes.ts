/** What sessions changed, and the files that a person has written from there: by the same way as an agent's, on the same record. */
import { Gate } from '../access/gate';
import type { Approver } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import type { Client } from '../contract/model';
import type { History } from '../history/history';
import { SessionChanges } from '../sessions/changes/session-changes';
import type { Session } from '../sessions/session/session';
import type { GuardedFiles, RemovableFiles } from '../source/files';
import { changeFile, checkHash } from '../tools/files/text-files';
import { writeDefinitionsOf } from '../tools/files/write-definitions';

interface ChangesParts {
  history: History;
  files: GuardedFiles & RemovableFiles;
  approvals: Approver;
}

export function composeChanges({ history, files, approvals }: ChangesParts, person: Client) {
  const gate = new Gate(history.calls, approvals);
  const changes = new SessionChanges({ history, files });
  const options = { history, files };
  const recorded = <T>(tool: string, args: Record<string, unknown>, work: () => Promise<T>): Promise<T> => {
    const call = {
      client: person,
      endpoint: 'window',
      tool,
      scope: 'evaluate',
      approval: null,
      args,
    } as const;
    return gate
      .run(call, async () => ({ isError: false, answer: await work() }))
      .then(({ answer }) => answer);
  };
  const writing = (session: Session) => ({
    client: person,
    project: session.identity.project,
    session: session.id,
  });
  return {
    changes,
    written: {
      definitions: (session: Session, path: string, names: readonly string[]): Promise<string> =>
        recorded('write_file', { path, definitions: names, session: session.id }, async () => {
          await changes.recheckSaved(session);
          const order = { path, definitions: names };
          const { files: done } = await writeDefinitionsOf(session, order, writing(session), options);
          return done[0]?.path ?? path;
        }),
      putBack: (session: Session, path: string, kept: number, hash: string): Promise<void> =>
        recorded('revert_file', { path, kept, session: session.id }, async () => {
          const held = history.replacedFiles.find(kept);
          if (held?.path !== path)
            throw new HarborError('file_missing', 'What the file held is not kept any more.');
          await changeFile(path, writing(session), options, (file) => {
            checkHash({ ...file, shown: path }, hash);
            return { bytes: held.bytes, answer: null };
          });
          // An image that cannot tell now is asked again before anything is written.
          await changes.recheckSaved(session).catch(() => undefined);
        }),
      remove: (session: Session, path: string, hash: string): Promise<void> =>
        recorded('remove_file', { path, session: session.id }, async () => {
          const { project } = session.identity;
          const { bytes, hash: now } = await files.read(project, path);
          checkHash({ hash: now, shown: path }, hash);
          const by = { client: person.key, project, session: session.id };
          const kept = history.replacedFiles.add({ ...by, path, bytes, replacedAt: Date.now() });
          await files.remove(project, path, hash).catch((error: unknown) => {
            history.replacedFiles.remove(kept);
            throw error;
          });
          await changes.recheckSaved(session).catch(() => undefined);
        }),
    },
  };
}
