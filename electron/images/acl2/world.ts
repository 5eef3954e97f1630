/** The logical world of an ACL2 image: questions about its commands, and the code that undoes them. */

import { lispString } from '../../contract/lisp-string';
import type { WorldCommands } from '../../contract/world';
import type { CommandsRequest, World } from '../world';
import { harborForm } from './harbor-forms';
import type { Acl2Queries } from './queries';
import { COMMANDS } from './world-records';

export class Acl2World implements World {
  readonly #queries: Acl2Queries;

  constructor(queries: Acl2Queries) {
    this.#queries = queries;
  }

  commands({ from, limit, source }: CommandsRequest): Promise<WorldCommands> {
    return this.#queries.ask('commands', '', { from, limit, source }, COMMANDS);
  }

  undoCode(command: number): string {
    return harborForm('undo', String(command));
  }

  undoOneCode(command: number): string {
    return harborForm('undo-one', String(command));
  }

  certifyCode(book: string): string {
    return harborForm('certify', lispString(book));
  }

  observeCode(form: string, rules: readonly string[]): string {
    return harborForm('observe', `(${rules.join(' ')})\n${form}\n`);
  }

  buildCode(term: string, instructions: string): string {
    return harborForm('verify', `${term}\n${instructions}\n`);
  }
}
