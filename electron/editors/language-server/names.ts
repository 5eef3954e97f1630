/**
 * Answers about names: definitions and uses, descriptions, names that begin alike. The image answers if there is a session,
 * else the files do. Unsaved texts take the place of their files.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type Hover,
  type Location,
  type SignatureHelp,
  type SymbolInformation,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { Note } from '../../contract/note';
import { dialectOfFile } from '../../source/dialect';
import { parameterAt, parametersOf } from '../../source/lambda-list';
import { signatureOf } from '../../source/outline';
import { readForRename, renameInFiles } from '../../source/rename/rename';
import { filesBelow, search } from '../../source/search';
import { formsOf, isBranch } from '../../source/syntax-tree';
import { bareName, type Definition, type LispText, type NamePlace, pathOf } from '../lisp-text';
import type { ImageSession } from './image-session';
import type { ProjectFiles } from './project-files';
import { symbolKind, symbolName } from './structure';

export interface NameServices {
  project: string;
  /** The editor’s key. */
  client: string;
  files: ProjectFiles;
  session: ImageSession;
  /** The texts that are open in the editor. */
  openTexts: () => readonly LispText[];
  signal: AbortSignal;
}

/** A finding of the tool `find`. */
interface Found {
  kind: string;
  text: string;
  arglist?: string;
  documentation?: string;
  source?: { path?: string; line?: number };
}

/** A definition of the tool `describe`. */
interface Described {
  kind: string;
  name: string;
  arglist?: string;
  documentation?: string;
  value?: string;
  type?: string;
  event?: string;
}

/** Maximum number of places, symbols and completions. */
const MOST = 500;
const MOST_COMPLETIONS = 100;

export class Names {
  readonly #services: NameServices;
  /** Symbols of files by path, with the state of the file that they were read from. */
  readonly #symbols = new Map<string, { hash: string; symbols: SymbolInformation[] }>();

  constructor(services: NameServices) {
    this.#services = services;
  }

  async definitions(text: LispText, offset: number): Promise<Location[]> {
    const name = text.nameAt(offset);
    if (name === null) return [];
    const inImage = await this.#find(text, 'definition', name);
    const fromImage = await Promise.all(
      (inImage ?? []).map(async ({ source = {} }) => {
        const file = await this.#text(source.path);
        return file && definitionIn(file, name.written, source.line);
      }),
    );
    const inEditor = [text, ...this.#openTexts(text)].flatMap((each) =>
      definitionsIn(each, name.written).map(({ node }) => ({ uri: each.uri, range: each.range(node) })),
    );
    const found = distinct([...fromImage.filter((each) => each !== null), ...inEditor]);
    return found.length > 0 ? found : this.#inFiles(text, 'definition', name);
  }

  async references(text: LispText, offset: number, withDefinitions: boolean): Promise<Location[]> {
    const name = text.nameAt(offset);
    if (name === null) return [];
    const inImage = await this.#find(text, 'reference', name);
    const isOpen = new Set([text, ...this.#openTexts(text)].map(({ path: file }) => file));
    const inFiles = await this.#inFiles(text, 'reference', name);
    const found: Location[] = [];
    for (const { source = {} } of inImage ?? []) {
      const file = await this.#text(source.path);
      // The editor’s text may differ from the file that the image was made from.
      if (file && !isOpen.has(file.path)) found.push(...placesOnLine(file, name.written, source.line));
    }
    // The image knows which symbols the names in the other files are.
    const own = inImage === null ? inFiles : inFiles.filter(({ uri }) => isOpen.has(pathOf(uri)));
    const uses = distinct([...found, ...own]);
    return withDefinitions ? distinct([...(await this.definitions(text, offset)), ...uses]) : uses;
  }

  /** Returns the places of a name in one text. */
  highlights(text: LispText, offset: number) {
    const name = text.nameAt(offset);
    return name === null ? [] : text.placesOf(name.written).map((place) => ({ range: text.range(place) }));
  }

  async hover(text: LispText, offset: number): Promise<Hover | null> {
    const name = text.nameAt(offset);
    if (name === null) return null;
    const described = await this.#describe(text, name);
    const value = described
      ? described.map(descriptionText).join('\n\n')
      : await this.#fromSource(text, name);
    return value === '' ? null : { contents: { kind: 'markdown', value }, range: text.range(name) };
  }

  async signatureHelp(text: LispText, offset: number): Promise<SignatureHelp | null> {
    const call = text.callAt(offset);
    if (call === null) return null;
    const described = (await this.#describe(text, call)) ?? [];
    const known = described.find(({ arglist }) => arglist !== undefined);
    const own = known ? null : await this.#definition(text, call);
    const lambdaList = known?.arglist ?? (own && lambdaListOf(own.definition, own.text));
    if (lambdaList == null) return null;
    const parameters = parametersOf(lambdaList, text.dialect);
    const label = `(${[call.written, ...parameters].join(' ')})`;
    let at = call.written.length + 2;
    const places = parameters.map((each): { label: [number, number] } => {
      const start = at;
      at += each.length + 1;
      return { label: [start, start + each.length] };
    });
    return {
      signatures: [
        {
          ...{ label, parameters: places },
          ...(known?.documentation === undefined ? {} : { documentation: known.documentation }),
        },
      ],
      activeSignature: 0,
      activeParameter: parameterAt(parameters, call),
    };
  }

  async completions(text: LispText, offset: number): Promise<CompletionList> {
    const name = text.nameAt(offset);
    const prefix = name && offset > name.start ? text.text.slice(name.start, offset) : '';
    if (name === null || prefix === '' || /^[\d#"]/.test(prefix)) return { isIncomplete: true, items: [] };
    const range = text.range({ start: name.start, end: offset });
    const inImage =
      (await this.#find(text, 'completion', { ...name, written: prefix }, MOST_COMPLETIONS)) ?? [];
    const items = new Map<string, CompletionItem>();
    const add = (label: string, kind: string, arglist?: string, documentation?: string) => {
      if (items.has(label)) return;
      items.set(label, {
        ...{ label, kind: completionKind(kind), textEdit: { range, newText: label } },
        ...(arglist === undefined ? {} : { detail: arglist }),
        ...(documentation === undefined ? {} : { documentation }),
      });
    };
    for (const { text: label, kind, arglist, documentation } of inImage)
      add(label, kind, arglist, documentation);
    const sought = text.dialect === 'clojure' ? prefix : prefix.toLowerCase();
    for (const each of [text, ...this.#openTexts(text)])
      for (const definition of each.definitions)
        if (definition.name.name.startsWith(sought) && !definition.name.name.startsWith('('))
          add(definition.name.name, definition.form.type, lambdaListOf(definition, each) ?? undefined);
    return { isIncomplete: items.size >= MOST_COMPLETIONS, items: [...items.values()] };
  }

  /** Returns definitions of the project whose names contain the letters of the query in this order. */
  async workspaceSymbols(query: string): Promise<SymbolInformation[]> {
    const { files, project, client, signal } = this.#services;
    const pattern = new RegExp([...query].map((each) => each.replace(/\W/g, '\\$&')).join('.*'), 'is');
    const place = {
      ...{ path: '.', caller: { client, tool: 'symbols' }, signal },
      isWanted: (name: string) => dialectOfFile(name) !== null,
    };
    const found: SymbolInformation[] = [];
    for await (const { path: file, hash } of filesBelow(files, project, place, [])) {
      if (found.length >= MOST) break;
      found.push(...(await this.#symbolsIn(file, hash)).filter(({ name }) => pattern.test(name)));
    }
    return found.slice(0, MOST);
  }

  /** @throws HarborError `bad_arguments` if the name does not exist, is ambiguous or the new one is in use */
  async rename(
    text: LispText,
    offset: number,
    newName: string,
  ): Promise<{ edit: WorkspaceEdit; notes: readonly Note[] } | null> {
    const { files, project, client, signal } = this.#services;
    const name = text.nameAt(offset);
    if (name === null) return null;
    const request = { name: name.written, signal, caller: { client, tool: 'rename' } };
    const read = await readForRename(files, project, request);
    const shown = text.path === null ? null : path.relative(project, text.path);
    const renaming = renameInFiles(read.files, {
      ...{ name: name.written, newName, also: new Set() },
      path: read.files.some((file) => file.path === shown) ? shown : null,
    });
    const changes: Record<string, TextEdit[]> = {};
    for (const { file, changes: own } of renaming.files) {
      const real = read.files.find((each) => each === file)?.real;
      const target = real === undefined ? null : await files.text(real);
      if (target === null || own.length === 0) continue;
      changes[target.uri] = own.map(({ start, end, put }) => ({
        range: target.range({ start, end }),
        newText: put,
      }));
    }
    return { edit: { changes }, notes: [...read.notes, ...renaming.notes] };
  }

  #openTexts(but: LispText): LispText[] {
    return this.#services.openTexts().filter((each) => each.uri !== but.uri && each.dialect === but.dialect);
  }

  /** @param file as a result of a tool names it; undefined for a place without file */
  async #text(file: string | undefined): Promise<LispText | null> {
    const { files, project } = this.#services;
    return file === undefined ? null : files.text(path.resolve(project, file));
  }

  async #find(text: LispText, kind: string, name: NamePlace, limit = MOST): Promise<Found[] | null> {
    const args = { kind, query: name.written, limit, ...inPackage(name) };
    const data = await this.#services.session.query(text, 'find', args);
    return data && (data.results as Found[]);
  }

  async #describe(text: LispText, name: NamePlace): Promise<Described[] | null> {
    const data = await this.#services.session.query(text, 'describe', {
      ...{ symbol: name.written },
      ...inPackage(name),
    });
    const definitions = data && (data.definitions as Described[] | undefined);
    return definitions && definitions.length > 0 ? definitions : null;
  }

  async #inFiles(text: LispText, kind: 'definition' | 'reference', name: NamePlace): Promise<Location[]> {
    const { files, project, client, signal } = this.#services;
    const { matches } = await search(files, project, {
      ...{ kind, query: name.written, path: '.', limit: MOST, dialect: text.dialect },
      ...{ caller: { client, tool: 'find' }, signal },
    });
    const locations: Location[] = [];
    for (const { file, line } of matches) {
      const found = await files.text(file);
      if (!found) continue;
      if (kind === 'definition') locations.push(definitionIn(found, name.written, line));
      else locations.push(...placesOnLine(found, name.written, line));
    }
    return distinct(locations);
  }

  /** Returns the first definition in the editor, or else in the files. */
  async #definition(
    text: LispText,
    name: NamePlace,
  ): Promise<{ text: LispText; definition: Definition } | null> {
    for (const each of [text, ...this.#openTexts(text)]) {
      const [definition] = definitionsIn(each, name.written);
      if (definition) return { text: each, definition };
    }
    const [place] = await this.#inFiles(text, 'definition', name);
    const file = place && (await this.#text(pathOf(place.uri) ?? undefined));
    const [definition] = file ? definitionsIn(file, name.written) : [];
    return file && definition ? { text: file, definition } : null;
  }

  async #fromSource(text: LispText, name: NamePlace): Promise<string> {
    const found = await this.#definition(text, name);
    if (found === null) return '';
    const { form } = found.definition;
    const documentation = documentationOf(found.definition, found.text);
    return [
      fenced(signatureOf(form, found.text.source), 'lisp'),
      ...(documentation === null ? [] : [fenced(documentation, 'text')]),
      `From the source in ${path.basename(found.text.path ?? found.text.uri)}; no session has answered.`,
    ].join('\n\n');
  }

  async #symbolsIn(file: string, hash: string): Promise<SymbolInformation[]> {
    const known = this.#symbols.get(file);
    if (known?.hash === hash) return known.symbols;
    const text = await this.#services.files.text(file);
    const symbols = (text?.definitions ?? []).map(
      (definition): SymbolInformation => ({
        name: symbolName(definition, text as LispText),
        kind: symbolKind(definition.form.type),
        location: { uri: pathToFileURL(file).href, range: (text as LispText).range(definition.node) },
        containerName: path.relative(this.#services.project, file),
      }),
    );
    this.#symbols.set(file, { hash, symbols });
    return symbols;
  }
}

function inPackage({ package: here }: NamePlace): { package?: string } {
  return here === undefined ? {} : { package: here };
}

function definitionsIn(text: LispText, name: string): Definition[] {
  const sought = bareName(name, text.dialect);
  return text.definitions.filter((each) => bareName(each.name.name, text.dialect) === sought);
}

/** Returns the definition next to a line, which counts from 1; the line itself if it has none. */
function definitionIn(text: LispText, name: string, line?: number): Location {
  const lineOf = ({ form }: Definition) => text.document.positionAt(form.form.start).line + 1;
  const near = (each: Definition) => Math.abs(lineOf(each) - (line ?? 0));
  const [nearest] = definitionsIn(text, name).toSorted((one, other) => near(one) - near(other));
  if (nearest) return { uri: text.uri, range: text.range(nearest.node) };
  const start = { line: Math.max((line ?? 1) - 1, 0), character: 0 };
  return { uri: text.uri, range: { start, end: start } };
}

/** @param line from 1 */
function placesOnLine(text: LispText, name: string, line = 1): Location[] {
  const from = text.document.offsetAt({ line: line - 1, character: 0 });
  const to = text.document.offsetAt({ line, character: 0 });
  return text.placesOf(name, from, to).map((place) => ({ uri: text.uri, range: text.range(place) }));
}

function distinct(locations: readonly Location[]): Location[] {
  const byPlace = new Map(
    locations.map((each) => [`${each.uri} ${each.range.start.line}:${each.range.start.character}`, each]),
  );
  return [...byPlace.values()].slice(0, MOST);
}

function descriptionText({ kind, name, arglist, documentation, value, type, event }: Described): string {
  const head = event ?? [`;; ${kind}`, `${name}${arglist === undefined ? '' : ` ${arglist}`}`].join('\n');
  const facts = [value === undefined ? '' : `value: ${value}`, type === undefined ? '' : `type: ${type}`];
  const about = [documentation ?? '', ...facts].filter((each) => each !== '').join('\n');
  return [fenced(head, 'lisp'), ...(about === '' ? [] : [fenced(about, 'text')])].join('\n\n');
}

/** An image’s texts may contain any markup, so they are shown as code. */
function fenced(text: string, language: string): string {
  const runs = text.match(/`+/g)?.map(({ length }) => length) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Returns the lambda list as written; null for a definition without one. */
function lambdaListOf({ form }: Definition, { text, dialect }: LispText): string | null {
  if (!isBranch(form.form)) return null;
  const opening = dialect === 'clojure' ? '[' : '(';
  const list = formsOf(form.form)
    .slice(2)
    .find(({ start }) => text[start] === opening);
  return list ? text.slice(list.start, list.end).replace(/\s+/g, ' ') : null;
}

/** Returns the string after the lambda list, or Clojure’s before it, unless it is the body. */
function documentationOf({ form }: Definition, { text }: LispText): string | null {
  if (!isBranch(form.form)) return null;
  const parts = formsOf(form.form).slice(2);
  const place = parts.findIndex(({ kind }) => kind === 'string');
  const found = parts[place];
  return found && place < parts.length - 1 ? text.slice(found.start + 1, found.end - 1) : null;
}

function completionKind(kind: string): CompletionItemKind {
  if (/function|^defun|method|^defn/i.test(kind)) return CompletionItemKind.Function;
  if (/macro|special/i.test(kind)) return CompletionItemKind.Keyword;
  if (/class|structure|condition|type/i.test(kind)) return CompletionItemKind.Class;
  if (/variable|constant|^def(?:var|parameter|const)/i.test(kind)) return CompletionItemKind.Variable;
  return /package|namespace/i.test(kind) ? CompletionItemKind.Module : CompletionItemKind.Text;
}
