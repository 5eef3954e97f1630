/** Renames a symbol of Common Lisp or ACL2 wherever the reader would read that symbol, in any package. */
import { type Note, note } from '../../contract/note';
import { lispToken, nameRead, respelled } from '../names/package-forms';
import { Packages, USER } from '../names/packages';
import { LispFile, type LispOccurrence } from './lisp-file';
import { type GeneratedName, generatedName, structureText } from './lisp-roles';
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
  type TextKind,
  type UnchangedMatch,
} from './renaming';

interface Seen {
  file: LispFile;
  sightings: readonly LispOccurrence[];
}

/**
 * @param files all Common Lisp files of the project
 * @throws HarborError `bad_arguments` for a symbol that does not occur, is ambiguous or not the project's
 *   own, and for a new name that a package already has
 */
export function renameInLisp(files: readonly SourceFile[], request: RenameRequest): Renaming {
  const lispFiles = files.map((file) => new LispFile(file));
  const packages = new Packages();
  for (const file of lispFiles) file.define(packages);
  for (const file of lispFiles) file.change(packages);
  const [requested, newName] = [parsedName(request.name), newNameRead(request.newName)];
  const names = new Set([requested.name, newName]);
  const seen = lispFiles.map((file) => ({ file, sightings: file.sightings(names, packages) }));
  if (requested.package === null) refusePackage(requested.name, request.name, seen);
  const home = targetOf(requested, seen, packages, request);
  const symbol = symbolText(home, requested.name);
  refuseTaken(newName, requested.name, home, seen, packages);
  const isTarget = (sighting: LispOccurrence) =>
    sighting.kind === 'symbol' && sighting.package === home && sighting.name === requested.name;
  const isMade = refuseMade([requested.name, newName], home, { seen, isTarget, packages });
  const renaming = seen.map((each) =>
    renamedFile(each, requested.name, request, {
      isTarget,
      seesTarget: (where) => packages.home(where, requested.name) === home,
      packages,
    }),
  );
  const notes = notesOf(seen, isTarget, home, packages, request.also);
  if (!isMade) notes.push(...unwrittenNote(symbol, seen, isTarget));
  return { symbol, files: renaming, notes };
}

/** @throws HarborError `bad_arguments` */
function parsedName(written: string): { package: string | null; name: string } {
  const token = /[\s()'"`,;]/.test(written.replace(/\|[^|]*\|/g, '')) ? null : lispToken(written.trim());
  if (token && token.kind === 'symbol') return token;
  throw refusal(`form_name must be a symbol, such as price, shop:price or shop::price, not ${written}.`);
}

/** @throws HarborError `bad_arguments` */
function newNameRead(written: string): string {
  const isOne = !/[\s()'"`,;]/.test(written.replace(/\|[^|]*\|/g, '|'));
  const token = isOne ? lispToken(written) : null;
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?(?:[esfdl][+-]?\d+)?|\.\d+|\d+\/\d+)$/i.test(written);
  if (token?.kind === 'symbol' && token.package === null && !isNumber && !/^\.+$/.test(written))
    return token.name;
  throw refusal(`new_name must be one symbol without a package, not ${written}.`);
}

/**
 * @throws HarborError `bad_arguments` for the name of a package without a definition as a symbol, with
 *   instructions for renaming it
 */
function refusePackage(name: string, written: string, seen: readonly Seen[]): void {
  const [own] = seen.flatMap(({ file }) => {
    const made = file.packageMadeAt(name);
    return made === null ? [] : [placeText(file.file, made)];
  });
  if (own === undefined || definedHomes(name, seen).length > 0) return;
  const places = seen.flatMap(({ file }) =>
    file.packagePlaces(name).map((start) => placeText(file.file, start)),
  );
  throw refusal(
    `${written} is a package (${own}). This tool renames symbols: name one with its own package. To rename the package, change its name in ${listFirst([...new Set([own, ...places])], 20)}.`,
  );
}

/**
 * Returns the home package of the symbol.
 * @throws HarborError `bad_arguments`
 */
function targetOf(
  requested: { package: string | null; name: string },
  seen: readonly Seen[],
  packages: Packages,
  { path, name: written }: RenameRequest,
): string {
  const inFile = seen.find(({ file }) => file.file.path === path);
  const places = requested.package === null && inFile ? [inFile] : seen;
  const homes = homesOf(requested.name, places);
  const own =
    requested.package === null ? null : packages.home(packages.find(requested.package, null), requested.name);
  const defined = own === null ? definedHomes(requested.name, places) : [];
  const found = own === null ? (defined.length > 0 ? defined : homes) : homes.filter((each) => each === own);
  const [home, ...others] = found;
  if (home === 'COMMON-LISP') throw refusal(`${written} is a symbol of Common Lisp itself.`);
  if (home !== undefined && others.length === 0) return home;
  const all = homesOf(requested.name, seen).map((each) => symbolText(each, requested.name));
  if (all.length === 0) throw refusal(`No file of the project has the symbol ${written}.`);
  throw refusal(
    others.length > 0
      ? `${written} is ambiguous. Name one of ${listFirst(all)}, or give the path of a file that uses it.`
      : `${written} does not occur. The project has ${listFirst(all)}.`,
  );
}

function homesOf(name: string, seen: readonly Seen[]): string[] {
  const symbols = seen
    .flatMap(({ sightings }) => sightings)
    .filter((each) => each.kind === 'symbol' && each.name === name);
  return [...new Set(symbols.map((each) => each.package))];
}

/** Returns the packages in which a form defines the name. */
function definedHomes(name: string, seen: readonly Seen[]): string[] {
  const defined = seen.flatMap(({ sightings }) =>
    sightings.filter((each) => each.name === name && isDefined(each)),
  );
  return [...new Set(defined.map((each) => each.package))];
}

function isDefinedIn(seen: readonly Seen[], isTarget: (sighting: LispOccurrence) => boolean): boolean {
  return seen.some(({ sightings }) => sightings.some((each) => isTarget(each) && isDefined(each)));
}

function isDefined({ kind, role }: LispOccurrence): boolean {
  return kind === 'symbol' && (role === 'definition' || role === 'structure');
}

/**
 * @throws HarborError `bad_arguments` if the new name would be read as another symbol, or another name as the
 *   new symbol
 */
function refuseTaken(
  newName: string,
  name: string,
  home: string,
  seen: readonly Seen[],
  packages: Packages,
): void {
  const taken = new Map<string, string>();
  for (const { file, sightings } of seen)
    for (const each of sightings)
      if (each.kind === 'symbol' && each.name === newName && !taken.has(each.package))
        taken.set(each.package, placeText(file.file, each.start));
  const sees = packages.all.filter((each) => packages.home(each, name) === home);
  for (const where of new Set([home, ...sees])) {
    const other = packages.home(where, newName);
    const place = taken.get(other);
    if (place !== undefined)
      throw refusal(`${symbolText(other, newName)} already exists (${place}): both would become one symbol.`);
    if (other !== where && packages.isKnown(other))
      throw refusal(`${packageText(where)} already has ${symbolText(other, newName)} under that name.`);
  }
}

interface Places {
  seen: readonly Seen[];
  isTarget: (sighting: LispOccurrence) => boolean;
  packages: Packages;
}

/**
 * Refuses to rename only the uses of a name that DEFSTRUCT generates, and to define a name that it already
 * generates.
 * @returns whether DEFSTRUCT generates the new name, so that only uses change
 * @throws HarborError `bad_arguments`
 */
function refuseMade(
  [name, newName]: [string, string],
  home: string,
  { seen, isTarget, packages }: Places,
): boolean {
  const structures = seen.flatMap(({ file }) => file.structures(packages));
  const old = generatedName(name, home, structures, packages);
  if (old) throw refusal(madeText(old, symbolName(name), symbolName(newName)));
  const taken = generatedName(newName, home, structures, packages);
  if (taken && isDefinedIn(seen, isTarget))
    throw refusal(`${symbolText(home, newName)} is already generated by ${structureText(taken.structure)}.`);
  return taken !== null;
}

function madeText({ structure, of }: GeneratedName, name: string, newName: string): string {
  const made = `${name} is generated by ${structureText(structure)}`;
  return 'slot' in of
    ? `${made} from its slot ${symbolName(of.slot)}. Rename that slot there, or set a :conc-name that generates ${newName}; then rename ${name}, which changes its uses.`
    : `${made}, which has no :${of.option}. Write (:${of.option} ${name}) there, then rename ${name}.`;
}

/**
 * Returns a note about a name that is used like a function, type or special variable but neither defined nor
 * bound in the files.
 */
function unwrittenNote(
  symbol: string,
  seen: readonly Seen[],
  isTarget: (sighting: LispOccurrence) => boolean,
): Note[] {
  const found = seen.flatMap(({ sightings }) => sightings.filter(isTarget));
  const isVariable = !/::([*+]).*\1$/.test(symbol) && found.some(({ manner }) => manner === 'value');
  if (isVariable || found.some(({ role }) => role !== null)) return [];
  return [
    note(
      'not_renamed',
      `No form of these files defines ${symbol} by name, so only its uses were renamed. A definition elsewhere or by a macro still has the old name.`,
    ),
  ];
}

interface Targets {
  isTarget: (sighting: LispOccurrence) => boolean;
  /** Reports whether the unqualified name is the symbol in package `where`. */
  seesTarget: (where: string) => boolean;
  packages: Packages;
}

function renamedFile(
  { file, sightings }: Seen,
  name: string,
  { newName, also }: RenameRequest,
  { isTarget, seesTarget, packages }: Targets,
): FileRenaming {
  const { text } = file.file.source;
  const changes: Change[] = [];
  const left: UnchangedMatch[] = [];
  for (const each of sightings) {
    if (each.name !== name) continue;
    const { start, end, kind, isString } = each;
    const put = isString
      ? nameRead(newName).replace(/["\\]/g, '\\$&')
      : respelled(text.slice(start, end), newName);
    if (isTarget(each) || (kind === 'keyword' && also.has('keywords'))) changes.push({ start, end, put });
    else left.push({ kind: leftKind(each), start });
  }
  const read = new Set(sightings.map(({ start }) => start));
  for (const { kind, start, end, qualifier } of mentions(file.file.source, name, read)) {
    const here = file.packageAt(start, packages);
    const matchesTarget = seesTarget(qualifier === null ? here : packages.find(nameRead(qualifier), here));
    if (!matchesTarget) continue;
    if (also.has(kind)) changes.push({ start, end, put: respelled(text.slice(start, end), newName) });
    else left.push({ kind, start });
  }
  return { file: file.file, changes, left };
}

function leftKind({ kind, package: home, name }: LispOccurrence): string {
  if (kind === 'keyword') return `:${name.toLowerCase()}`;
  return kind === 'uninterned' ? `#:${name.toLowerCase()}` : symbolText(home, name);
}

/** Returns notes about places that the reader cannot decide and the caller must check. */
function notesOf(
  seen: readonly Seen[],
  isTarget: (sighting: LispOccurrence) => boolean,
  home: string,
  packages: Packages,
  also: ReadonlySet<TextKind>,
): Note[] {
  const placesOf = (role: LispOccurrence['role']) =>
    seen.flatMap(({ file, sightings }) =>
      sightings
        .filter((each) => each.role === role && isTarget(each))
        .map(({ start }) => placeText(file.file, start)),
    );
  const [keys, structures] = [placesOf('key parameter'), placesOf('structure')];
  const unknown = isDefinedIn(seen, isTarget) ? [] : packages.unknownUses(home);
  return [
    ...(keys.length > 0 && !also.has('keywords')
      ? [
          note(
            'not_renamed',
            `It is a &key parameter at ${listFirst(keys)}: callers pass it as a keyword, which still has the old name.`,
          ),
        ]
      : []),
    ...(structures.length > 0
      ? [
          note(
            'not_renamed',
            `A structure has it at ${listFirst(structures)}: names and keywords that DEFSTRUCT generates from it are not renamed.`,
          ),
        ]
      : []),
    ...(unknown.length > 0
      ? [
          note(
            'not_renamed',
            `No form defines it. ${packageText(home)} uses ${listFirst(unknown)}, which may define it and which no file of the project defines.`,
          ),
        ]
      : []),
  ];
}

function packageText(name: string): string {
  if (name === USER) return 'cl-user';
  return /^[^a-z]*$/.test(name) ? name.toLowerCase() : `|${name}|`;
}

function symbolText(home: string, name: string): string {
  return `${packageText(home)}::${symbolName(name)}`;
}

function symbolName(name: string): string {
  return /^[^a-z]*$/.test(name) ? name.toLowerCase() : `|${name}|`;
}
