/** What a person does with the changes that a session made: writes them to files, or takes them back. None throws. */
import type { DefinitionChange, FileChange } from '../electron/contract/changes';
import type { SessionView } from '../electron/contract/model';
import { tryCall } from './bridge';
import { sinceOf } from './changes/since';
import { nameInProject } from './parts/format';
import type { ActionDependencies } from './session-opener';

/** A file, and what is to be written into it. */
export interface FileToWrite {
  path: string;
  definitions: readonly DefinitionChange[];
}

export class ChangeActions {
  readonly #dependencies: ActionDependencies;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Writes definitions into files, one file after another; answers whether all are written. */
  async write(session: SessionView, files: readonly FileToWrite[]): Promise<boolean> {
    for (const { path, definitions } of files) {
      const names = definitions.flatMap(({ writeAs }) => writeAs ?? []);
      const written = await tryCall(this.#dependencies.toasts, 'changes:write', {
        session: session.id,
        path,
        definitions: [...new Set(names)],
      });
      await this.#askAgain(session);
      if (!written) return false;
      const [first] = definitions;
      const { toasts, words } = this.#dependencies;
      const { common, messages } = words();
      const what = definitions.length === 1 && first ? first.title : common.definitions(definitions.length);
      toasts.done(messages.written(what, nameInProject(written.path, session.project)));
    }
    return true;
  }

  /** Makes a definition what it was. @param choice since when its changes are shown */
  async revert(session: SessionView, { key, title, what }: DefinitionChange, choice: string): Promise<void> {
    const { toasts, words } = this.#dependencies;
    const since = sinceOf(choice, Date.now());
    const answer = await tryCall(toasts, 'changes:revert', { session: session.id, since, key });
    await this.#askAgain(session);
    if (!answer) return;
    const { evaluation, problem } = answer;
    const { takenAway, asItWas, notPutBack } = words().messages;
    if (problem !== null) toasts.failed(notPutBack(title, problem));
    else toasts.done((what === 'added' ? takenAway : asItWas)(title, evaluation));
  }

  /** Writes what a file held, or takes away one that was not there. */
  async revertFile(session: SessionView, { path, kept, hash }: FileChange): Promise<void> {
    if (hash === null) return;
    const { toasts, words } = this.#dependencies;
    const answer = await tryCall(toasts, 'changes:revertFile', { session: session.id, path, kept, hash });
    await this.#askAgain(session);
    const { fileAsItWas, fileTakenAway } = words().messages;
    const done = kept === null ? fileTakenAway : fileAsItWas;
    if (answer !== undefined) toasts.done(done(nameInProject(path, session.project)));
  }

  async #askAgain({ id }: SessionView): Promise<void> {
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['image', id, 'changes'] });
  }
}
