/** What a person does with the changes that a session made: writes them to files, or takes them back. None throws. */
import type { DefinitionChange, FileChange } from '../electron/contract/changes';
import type { SessionView } from '../electron/contract/model';
import { tryCall } from './bridge';
import { sinceOf } from './changes/since';
import { count, nameInProject } from './parts/format';
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
      const what = definitions.length === 1 ? first?.title : count(definitions.length, 'definition');
      this.#dependencies.toasts.done(`${what} written to ${nameInProject(written.path, session.project)}.`);
    }
    return true;
  }

  /** Makes a definition what it was. @param choice since when its changes are shown */
  async revert(session: SessionView, { key, title, what }: DefinitionChange, choice: string): Promise<void> {
    const { toasts } = this.#dependencies;
    const since = sinceOf(choice, Date.now());
    const answer = await tryCall(toasts, 'changes:revert', { session: session.id, since, key });
    await this.#askAgain(session);
    if (!answer) return;
    const { evaluation, problem } = answer;
    const done = what === 'added' ? `${title} is taken away` : `${title} is as it was`;
    if (problem === null) toasts.done(`${done}: evaluation ${evaluation}.`);
    else toasts.failed(`${title} could not be put back: ${problem}`);
  }

  /** Writes what a file held. */
  async revertFile(session: SessionView, { path, kept, hash }: FileChange): Promise<void> {
    if (kept === null || hash === null) return;
    const { toasts } = this.#dependencies;
    const answer = await tryCall(toasts, 'changes:revertFile', { session: session.id, path, kept, hash });
    await this.#askAgain(session);
    if (answer !== undefined) toasts.done(`${nameInProject(path, session.project)} is as it was.`);
  }

  async #askAgain({ id }: SessionView): Promise<void> {
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['image', id, 'changes'] });
  }
}
