/**
 * Renames a definition of a Clojure namespace at every symbol that refers to it: qualified, by alias, or
 * referred.
 */
import { Namespaces } from '../names/namespaces';
import {
  ClojureFile,
  type ClojureOccurrence,
  type Names,
  namespacePlaces,
  USER,
  variants,
} from './clojure-file';
import {
  type Change,
  type FileRenaming,
  listFirst,
  mentions,
  placeText,
  type RenameRequest,
  type Renaming,
  refusal,
  type SourceFile,
  type UnchangedMatch,
} from './renaming';

interface Seen {
  file: ClojureFile;
  sightings: readonly ClojureOccurrence[];
}

/** The definition to rename, and the new spelling of each form of its name. */
interface Target {
  namespace: string;
  name: string;
  puts: ReadonlyMap<string, string>;
  /** The protocol of a protocol function. */
  protocol: string | null;
}

/**
 * @param files all Clojure files of the project
 * @throws HarborError `bad_arguments` for a symbol without a definition or with several, and for a new name
 *   that is in use
 */
export function renameInClojure(files: readonly SourceFile[], request: RenameRequest): Renaming {
  const { qualifier, name } = parsedName(request.name);
  const names = { old: name, new: newNameRead(request.newName) };
  const namespaces = new Namespaces();
  const clojureFiles = files.map((file) => new ClojureFile(file, namespaces, names));
  if (qualifier === null && namespaces.definersOf(name).length === 0) refuseNamespace(name, clojureFiles);
  const namespace = namespaceOf(qualifier, name, clojureFiles, namespaces, request.path);
  const full = `${namespace}/${name}`;
  const seen = clojureFiles.map((file) => ({ file, sightings: file.sightings(names, namespaces) }));
  const isType = seen.some((each) => definesType(each, namespace, name));
  const puts = new Map(
    isType
      ? variants(name).map((each, index) => [each, variants(names.new)[index] ?? ''])
      : [[name, names.new]],
  );
  const protocol = clojureFiles.flatMap(({ protocols }) => protocols.get(full) ?? [])[0] ?? null;
  const target: Target = { namespace, name, puts, protocol };
  refuseTaken(names, target, seen, namespaces);
  const renaming = seen.map((each) => renamedFile(each, target, request, namespaces));
  return { symbol: full, files: renaming, notes: [] };
}

/** Reports whether code, not quoted data, defines the type. */
function definesType({ file, sightings }: Seen, namespace: string, name: string): boolean {
  const places = file.types.get(`${namespace}/${name}`) ?? [];
  return sightings.some(
    ({ kind, end, ...each }) => kind === 'symbol' && each.namespace === namespace && places.includes(end),
  );
}

/** @throws HarborError `bad_arguments` */
function parsedName(written: string): { qualifier: string | null; name: string } {
  const [, qualifier, name] =
    /^(?:([^\s()[\]{}"`,;:@^~\\/]+)\/)?([^\s()[\]{}"`,;:@^~\\][^\s()[\]{}"`,;@^~\\]*)$/.exec(written) ?? [];
  if (name !== undefined) return { qualifier: qualifier ?? null, name };
  throw refusal(`form_name must be a symbol, such as price or shop.core/price, not ${written}.`);
}

/** @throws HarborError `bad_arguments` for the name of a namespace, with instructions for renaming it */
function refuseNamespace(name: string, files: readonly ClojureFile[]): void {
  const [own] = files.flatMap((file) => {
    const entry = file.entryOf(name);
    return entry === null ? [] : [placeText(file.file, entry)];
  });
  if (own === undefined) return;
  const named = files.flatMap(({ file }) =>
    namespacePlaces(file.source, name).map((start) => placeText(file, start)),
  );
  const others = [...new Set(named)].filter((place) => place !== own);
  throw refusal(
    [
      `${name} is a namespace (${own}). This tool renames definitions in a namespace; to rename the namespace, its file must move to the matching path.`,
      'Write the file at the new path with the new name in its ns form, and remove the old file.',
      others.length === 0
        ? 'No other file names it.'
        : `It is also named in ${listFirst(others, 20)}: change it there.`,
    ].join(' '),
  );
}

const SPECIAL: ReadonlySet<string> = new Set(
  'def if do let* quote var fn* loop* recur throw try catch finally new set! . & nil true false'.split(' '),
);

/** @throws HarborError `bad_arguments` */
function newNameRead(written: string): string {
  const isSymbol = /^(?![+-]?\d)[^\s()[\]{}"`,;:@^~\\/#'][^\s()[\]{}"`,;:@^~\\/]*$/.test(written);
  if (isSymbol && !SPECIAL.has(written)) return written;
  throw refusal(`new_name must be one symbol without a namespace, not ${written}.`);
}

/** @throws HarborError `bad_arguments` */
function namespaceOf(
  qualifier: string | null,
  name: string,
  files: readonly ClojureFile[],
  namespaces: Namespaces,
  path: string | null,
): string {
  const definers = namespaces.definersOf(name);
  const file = files.find((each) => each.file.path === path);
  const here = file?.namespaceAt(file.file.source.text.length) ?? null;
  const requested =
    qualifier === null
      ? here !== null && namespaces.home(here, null, name)
      : namespaces.home(here ?? qualifier, qualifier, name);
  if (requested && definers.includes(requested)) return requested;
  const [only, ...others] = definers;
  if (only !== undefined && others.length === 0 && qualifier === null && here === null) return only;
  const there = definers.map((each) => `${each}/${name}`);
  if (only === undefined) throw refusal(`No file of the project defines ${name}.`);
  throw refusal(
    qualifier === null && others.length > 0
      ? `${name} is defined more than once. Name one of ${listFirst(there)}.`
      : `${qualifier ?? here ?? USER}/${name} is not defined in the project. It has ${listFirst(there)}.`,
  );
}

/**
 * @throws HarborError `bad_arguments` if the new name would capture, or be captured by, another definition
 */
function refuseTaken(names: Names, target: Target, seen: readonly Seen[], namespaces: Namespaces): void {
  const seesTarget = (here: string) => namespaces.home(here, null, target.name) === target.namespace;
  for (const { file, sightings } of seen)
    for (const each of sightings) {
      const place = placeText(file.file, each.start);
      if (isTarget(each, target) && each.isCaptured)
        throw refusal(`A local is named ${names.new} where ${target.name} is used (${place}).`);
      if (each.kind !== 'symbol' || each.name !== names.new) continue;
      if (each.namespace === target.namespace)
        throw refusal(`${target.namespace} uses or defines ${names.new} already (${place}).`);
      if (!each.isQualified && seesTarget(each.here))
        throw refusal(`${each.here}, which refers to ${target.name}, has ${names.new} already (${place}).`);
    }
}

function isTarget(sighting: ClojureOccurrence, { namespace, puts, protocol }: Target): boolean {
  if (!puts.has(sighting.name)) return false;
  if (sighting.kind === 'method') return protocol !== null && sighting.protocol === protocol;
  return (sighting.kind === 'symbol' || sighting.kind === 'class') && sighting.namespace === namespace;
}

function renamedFile(
  { file, sightings }: Seen,
  target: Target,
  { newName, also }: RenameRequest,
  namespaces: Namespaces,
): FileRenaming {
  const changes: Change[] = [];
  const left: UnchangedMatch[] = [];
  const { namespace, name, puts } = target;
  for (const each of sightings) {
    const { start, end, kind } = each;
    const put = puts.get(each.name);
    if (put === undefined) continue;
    const isKeyword = kind === 'keyword' && also.has('keywords') && each.namespace === namespace;
    if (isTarget(each, target) || isKeyword) changes.push({ start, end, put });
    else left.push({ kind: leftKind(each), start });
  }
  for (const { kind, start, end, qualifier } of mentions(file.file.source, name, new Set())) {
    if (namespaces.home(file.namespaceAt(start), qualifier, name) !== namespace) continue;
    if (also.has(kind)) changes.push({ start, end, put: newName });
    else left.push({ kind, start });
  }
  return { file: file.file, changes, left };
}

function leftKind({ kind, namespace, name, here }: ClojureOccurrence): string {
  if (kind === 'keyword') return namespace === null ? `:${name}` : `:${namespace}/${name}`;
  if (kind === 'local') return 'locals';
  if (kind === 'method') return 'methods';
  return kind === 'quoted' ? `'${name}` : `${namespace ?? here}/${name}`;
}
