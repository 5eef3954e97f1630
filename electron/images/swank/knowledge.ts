/** What a Swank server knows of names, as far as its requests go. */
import { HarborError } from '../../contract/errors';
import type { Findings, FindRequest, NameRequest, SymbolDescription } from '../../contract/knowledge';
import type { OneForm } from '../../source/code';
import type { Knowledge } from '../optional-groups';
import { definitionsOf, describedSymbol } from './descriptions';
import { findingsOf, namesWith, referencesTo } from './findings';
import type { SwankQuestions } from './questions';
import { elementsOf, isNil, lispCall, type Sexp, symbol, textOf, textsOf } from './sexp';

const EXPANDERS = { once: 'macroexpand-1', full: 'swank/backend:macroexpand-all' } as const;

export class SwankKnowledge implements Knowledge {
  readonly #questions: SwankQuestions;
  readonly #package: () => string;

  constructor(questions: SwankQuestions, packageName: () => string) {
    this.#questions = questions;
    this.#package = packageName;
  }

  async describe(request: NameRequest): Promise<SymbolDescription> {
    const names = await this.#known(request);
    const arglist = await this.#ask(request, 'swank:operator-arglist', request.symbol, this.#in(request));
    const places = await this.#places(request);
    return {
      ...describedSymbol(names),
      definitions: await definitionsOf(names, textOf(arglist), places, this.#questions),
    };
  }

  async disassemble(request: NameRequest): Promise<string> {
    await this.#known(request);
    return textOf(await this.#ask(request, 'lisp-harbor.swank:disassembly', request.symbol)) ?? '';
  }

  async find(request: FindRequest): Promise<Findings> {
    const asked = {
      symbol: request.query,
      ...(request.package === undefined ? {} : { package: request.package }),
    };
    switch (request.kind) {
      case 'definitions':
        await this.#known(asked);
        return findingsOf(await this.#places(asked), request.limit, this.#questions);
      case 'callers':
      case 'references':
        await this.#known(asked);
        return referencesTo(request, this.#in(asked), this.#questions);
      case 'apropos':
        return namesWith(request, this.#in(asked), this.#questions);
      case 'completions': {
        const [names] = elementsOf(
          await this.#ask(asked, 'swank:simple-completions', request.query, this.#in(asked)),
        );
        const texts = textsOf(names);
        const results = texts.slice(0, request.limit).map((text) => ({ kind: 'completion', text }));
        return { results, total: texts.length };
      }
      case 'unsaved':
        throw new HarborError(
          'not_supported',
          'A Swank server does not know which definitions are in no file. The history has what was evaluated here.',
        );
    }
  }

  /** A copy, because a form that a macro uses twice could be printed as #1=. */
  expansionCode(form: OneForm, extent: 'once' | 'full'): string {
    return `(copy-tree (${EXPANDERS[extent]} '${form}\n))`;
  }

  /** What resources/swank/names.lisp says of the symbol. @throws HarborError `unknown_symbol` */
  async #known(request: NameRequest): Promise<Sexp[]> {
    const names = await this.#ask(request, 'lisp-harbor.swank:names-of', request.symbol);
    if (!isNil(names)) return elementsOf(names);
    throw new HarborError(
      'unknown_symbol',
      `There is no symbol ${request.symbol} in ${this.#in(request)}. \`find\` with kind apropos looks in all packages.`,
    );
  }

  /** Where it is defined. Some Lisps fail at what was typed and is in no file; then that is what is known. */
  async #places(request: NameRequest): Promise<Sexp[]> {
    try {
      return elementsOf(await this.#ask(request, 'swank:find-definitions-for-emacs', request.symbol));
    } catch (error) {
      if (!(error instanceof HarborError && error.code === 'query_failed')) throw error;
      return [[request.symbol, [symbol(':error'), error.message]]];
    }
  }

  #in(request: NameRequest): string {
    return request.package ?? this.#package();
  }

  #ask(request: NameRequest, name: string, ...args: Sexp[]): Promise<Sexp> {
    return this.#questions.ask(lispCall(name, ...args), { package: this.#in(request) });
  }
}
