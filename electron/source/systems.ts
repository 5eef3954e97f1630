/** ASDF systems that a text defines, with their files. Pure: a system definition is read, not evaluated. */
import { read, type Source } from './reader';
import { stringRead } from './s-expression';
import { formsOf, isBranch, type SyntaxNode } from './syntax-tree';
import { behindPrefixes, isList, operatorOf, plainName, topLevelForms } from './top-level-forms';

export interface DefinedSystem {
  name: string;
  /** Paths relative to the folder of the definition, with `/` as separator. */
  files: string[];
}

export function systemsIn(text: string): DefinedSystem[] {
  const source = read(text, 'common-lisp');
  return topLevelForms(source).flatMap(({ type, form, name }) => {
    if (type.toLowerCase() !== 'defsystem' || name === null || !isBranch(form)) return [];
    const options = optionsOf(formsOf(form).slice(2), source);
    return [{ name: name.name, files: filesIn(options, '', source) }];
  });
}

type Options = ReadonlyMap<string, SyntaxNode>;

/** Returns the values of a property list by their keywords in lower case. */
function optionsOf(nodes: readonly SyntaxNode[], { text }: Source): Options {
  const options = new Map<string, SyntaxNode>();
  for (let at = 0; at + 1 < nodes.length; at += 2) {
    const [key, value] = [nodes[at], nodes[at + 1]];
    if (key && value) options.set(text.slice(key.start, key.end).toLowerCase(), value);
  }
  return options;
}

/** Returns the files of the components of a system or module in a folder. */
function filesIn(options: Options, folder: string, source: Source): string[] {
  const place = joined(folder, pathOf(options.get(':pathname'), source) ?? '');
  const components = options.get(':components');
  return components && isList(components)
    ? formsOf(components).flatMap((component) => filesOf(component, place, source))
    : [];
}

function filesOf(written: SyntaxNode, folder: string, source: Source): string[] {
  const component = behindPrefixes(written);
  if (!isList(component)) return [];
  const type = operatorOf(component, source)?.toLowerCase() ?? '';
  const [, named, ...rest] = formsOf(component);
  const name = named && pathOf(named, source);
  if (!name) return [];
  const options = optionsOf(rest, source);
  if (type === ':module') {
    const place = options.has(':pathname') ? folder : joined(folder, name);
    return filesIn(options, place, source);
  }
  if (!/^:(?:file|static-file)$|source-file$/.test(type)) return [];
  const own = pathOf(options.get(':pathname'), source);
  if (own !== null) return [joined(folder, own)];
  return [joined(folder, type === ':static-file' ? name : `${name}.lisp`)];
}

/** Returns a path that is written as a string or symbol; null for one that is computed. */
function pathOf(node: SyntaxNode | undefined, { text, dialect }: Source): string | null {
  if (node?.kind === 'string') return stringRead(text.slice(node.start, node.end));
  return node?.kind === 'token' ? plainName(text.slice(node.start, node.end), dialect) : null;
}

function joined(folder: string, name: string): string {
  return [folder.replace(/\/$/, ''), name].filter((part) => part !== '').join('/');
}
