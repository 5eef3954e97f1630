/** What Clojure on a JVM knows of its names: questions to resources/clojure, asked beside the evaluation that runs. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import {
  type Definition,
  Findings,
  type FindKind,
  type FindRequest,
  type NameRequest,
  SymbolDescription,
  SystemFolder,
} from '../../contract/knowledge';
import type { Knowledge } from '../optional-groups';
import { expansionCode } from './clojure-code';
import { checkedForms } from './placed-forms';
import type { NreplQueries } from './queries';

const QUESTIONS: Readonly<Record<FindKind, string>> = {
  definitions: 'lisp-harbor.finding/definitions',
  callers: 'lisp-harbor.uses/callers',
  references: 'lisp-harbor.uses/references',
  apropos: 'lisp-harbor.finding/apropos',
  completions: 'lisp-harbor.completions/completions',
  unsaved: 'lisp-harbor.finding/unsaved',
};

/** Characters of the source of one definition that are shown. */
const LONGEST_CODE = 6_000;

export class NreplKnowledge implements Knowledge {
  readonly expansionCode = expansionCode;
  readonly #queries: NreplQueries;
  readonly #namespace: () => string;

  /** @param namespace the one that the session is in */
  constructor(queries: NreplQueries, namespace: () => string) {
    this.#queries = queries;
    this.#namespace = namespace;
  }

  async describe({
    symbol,
    package: packageName = this.#namespace(),
  }: NameRequest): Promise<SymbolDescription> {
    const request = { symbol, package: packageName };
    const described = await this.#queries.ask(
      'lisp-harbor.descriptions/describe',
      request,
      SymbolDescription,
    );
    return { ...described, definitions: described.definitions.map(withOwnCode) };
  }

  async disassemble(): Promise<string> {
    throw new HarborError(
      'not_supported',
      'Clojure keeps no machine code to show: the JVM compiles while it runs. Its bytecode is what `javap -c` shows of a compiled class.',
    );
  }

  find({ kind, package: packageName = this.#namespace(), ...request }: FindRequest): Promise<Findings> {
    return this.#queries.ask(QUESTIONS[kind], { ...request, package: packageName }, Findings);
  }

  /** What is on the classpath counts as loaded: jars, each a file, and folders. */
  systemFolders(): Promise<SystemFolder[]> {
    return this.#queries.ask('lisp-harbor.project/class-path', {}, z.array(SystemFolder));
  }
}

/** The image sends the file's text from the definition on; our reader finds where the definition ends. */
function withOwnCode({ code: text, ...definition }: Definition): Definition {
  const [form] = text === undefined ? [] : checkedForms(text).forms;
  if (form === undefined) return definition;
  const { code } = form;
  return { ...definition, code: code.length > LONGEST_CODE ? `${code.slice(0, LONGEST_CODE)} …` : code };
}
