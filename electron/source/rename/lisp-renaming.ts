/** Renames a symbol of Common Lisp or ACL2: every place that is read as that symbol, in whatever package it stands. */

import { lispToken, nameRead, respelled } from '../names/lisp-token';
import { Packages, USER } from '../names/packages';
import { LispFile, type Sighting } from './lisp-file';
import { mentions } from './mentions';
import {
  type Also,
  type Change,
  type FileRenaming,
  fewOf,
  type Left,
  placeText,
  type RenameRequest,
  type Renaming,
  refusal,
  type SourceFile,
} from './renaming';
import { type MadeName, madeName, structureText } from './structures';

interface Seen {
  file: LispFile;
  sightings: readonly Sighting[];
}

/** @param files all of Common Lisp that the project has
 * @throws HarborError `bad_arguments` for a symbol that is not there, is more than one or not the project's own, and for a new
 * name that a package has already */
export function renamedInLisp(files: readonly SourceFile[], request: RenameRequest): Renaming {
  const lispFiles = files.map((file) => new LispFile(file));
  const packages = new Packages();
  for (const file of lispFiles) file.define(packages);
  for (const file of lispFiles) file.change(packages);
  const [asked, newName] = [nameAsked(request.name), newNameRead(request.newName)];
  const names = new Set([asked.name, newName]);
  const seen = lispFiles.map((file) => ({ file, sightings: file.sightings(names, packages) }));
  if (asked.package === null) refusePackage(asked.name, request.name, seen);
  const home = targetOf(asked, seen, packages, request);
  const symbol = symbolText(home, asked.name);
  refuseTaken(newName, asked.name, home, seen, packages);
  const isTarget = (sighting: Sighting) =>
    sighting.kind === 'symbol' && sighting.package === home && sighting.name === asked.name;
  const isMade = refuseMade([asked.name, newName], home, { seen, isTarget, packages });
  const renaming = seen.map((each) =>
    renamedFile(each, asked.name, request, {
      isTarget,
      seesTarget: (where) => packages.home(where, asked.name) === home,
      packages,
    }),
  );
  const notes = notesOf(seen, isTarget, home, packages, request.also);
  if (!isMade) notes.push(...unwrittenNote(symbol, seen, isTarget));
  return { symbol, files: renaming, notes };
}

/** @throws HarborError `bad_arguments` */
function nameAsked(written: string): { package: string | null; name: string } {
  const token = /[\s()'"`,;]/.test(written.replace(/\|[^|]*\|/g, '')) ? null : lispToken(written.trim());
  if (token && token.kind === 'symbol') return token;
  throw refusal(`form_name is to be a symbol, such as price, shop:price or shop::price, not ${written}.`);
}

/** @throws HarborError `bad_arguments` */
function newNameRead(written: string): string {
  const isOne = !/[\s()'"`,;]/.test(written.replace(/\|[^|]*\|/g, '|'));
  const token = isOne ? lispToken(written) : null;
  const isNumber = /^[+-]?(?:\d+\.?\d*(?:[esfdl][+-]?\d+)?|\.\d+|\d+\/\d+)$/i.test(written);
  if (token?.kind === 'symbol' && token.package === null && !isNumber && !/^\.+$/.test(written))
    return token.name;
  throw refusal(`new_name is to be one symbol without a package, not ${written}.`);
}

/** @throws HarborError `bad_arguments` for the name of a package that no form defines as a symbol, with what it takes */
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
    `${written} is a package (${own}), and rename is for symbols: one of that name is meant with its own package before it. To rename the package, change its name in ${fewOf([...new Set([own, ...places])], 20)}.`,
  );
}

/** The package whose own the symbol is.
 * @throws HarborError `bad_arguments` */
function targetOf(
  asked: { package: string | null; name: string },
  seen: readonly Seen[],
  packages: Packages,
  { path, name: written }: RenameRequest,
): string {
  const inFile = seen.find(({ file }) => file.file.path === path);
  const places = asked.package === null && inFile ? [inFile] : seen;
  const homes = homesOf(asked.name, places);
  const own = asked.package === null ? null : packages.home(packages.find(asked.package, null), asked.name);
  const defined = own === null ? definedHomes(asked.name, places) : [];
  const found = own === null ? (defined.length > 0 ? defined : homes) : homes.filter((each) => each === own);
  const [home, ...others] = found;
  if (home === 'COMMON-LISP') throw refusal(`${written} is a symbol of Common Lisp itself.`);
  if (home !== undefined && others.length === 0) return home;
  const all = homesOf(asked.name, seen).map((each) => symbolText(each, asked.name));
  if (all.length === 0) throw refusal(`No file of the project has the symbol ${written}.`);
  throw refusal(
    others.length > 0
      ? `${written} is more than one symbol. Name one of ${fewOf(all)}, or the path where it is meant.`
      : `${written} is not there. There is ${fewOf(all)}.`,
  );
}

function homesOf(name: string, seen: readonly Seen[]): string[] {
  const symbols = seen
    .flatMap(({ sightings }) => sightings)
    .filter((each) => each.kind === 'symbol' && each.name === name);
  return [...new Set(symbols.map((each) => each.package))];
}

/** Packages in which a form defines the name. */
function definedHomes(name: string, seen: readonly Seen[]): string[] {
  const defined = seen.flatMap(({ sightings }) =>
    sightings.filter((each) => each.name === name && isDefined(each)),
  );
  return [...new Set(defined.map((each) => each.package))];
}

function isDefinedIn(seen: readonly Seen[], isTarget: (sighting: Sighting) => boolean): boolean {
  return seen.some(({ sightings }) => sightings.some((each) => isTarget(each) && isDefined(each)));
}

function isDefined({ kind, role }: Sighting): boolean {
  return kind === 'symbol' && (role === 'definition' || role === 'structure');
}

/** @throws HarborError `bad_arguments` where the new name would be taken for another symbol, or another one for it */
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
      throw refusal(`${symbolText(other, newName)} is there already (${place}): the two would be one.`);
    if (other !== where && packages.isKnown(other))
      throw refusal(`${packageText(where)} has ${symbolText(other, newName)} under that name already.`);
  }
}

interface Places {
  seen: readonly Seen[];
  isTarget: (sighting: Sighting) => boolean;
  packages: Packages;
}

/** Refuses to rename uses alone of what DEFSTRUCT makes, and to define what it makes already.
 * @returns whether DEFSTRUCT makes the new name, which uses have to follow
 * @throws HarborError `bad_arguments` */
function refuseMade(
  [name, newName]: [string, string],
  home: string,
  { seen, isTarget, packages }: Places,
): boolean {
  const structures = seen.flatMap(({ file }) => file.structures(packages));
  const old = madeName(name, home, structures, packages);
  if (old) throw refusal(madeText(old, symbolName(name), symbolName(newName)));
  const taken = madeName(newName, home, structures, packages);
  if (taken && isDefinedIn(seen, isTarget))
    throw refusal(`${symbolText(home, newName)} is made by ${structureText(taken.structure)} already.`);
  return taken !== null;
}

function madeText({ structure, of }: MadeName, name: string, newName: string): string {
  const made = `${name} is made by ${structureText(structure)}`;
  return 'slot' in of
    ? `${made} of its slot ${symbolName(of.slot)}. Rename that slot there, or give a :conc-name, so that it makes ${newName}; then rename ${name}, which changes its uses.`
    : `${made}, which has no :${of.option}. Write (:${of.option} ${name}) there, then rename ${name}.`;
}

/** Of what is used as functions, types or special variables are, and neither defined nor bound in any of the files. */
function unwrittenNote(
  symbol: string,
  seen: readonly Seen[],
  isTarget: (sighting: Sighting) => boolean,
): string[] {
  const found = seen.flatMap(({ sightings }) => sightings.filter(isTarget));
  const isVariable = !/::([*+]).*\1$/.test(symbol) && found.some(({ manner }) => manner === 'value');
  if (isVariable || found.some(({ role }) => role !== null)) return [];
  return [
    `No form of these files defines ${symbol} by name: only its uses were renamed. What defines it, elsewhere or by a macro, has the old name still.`,
  ];
}

interface Targets {
  isTarget: (sighting: Sighting) => boolean;
  /** Whether the name, written without a package, is the symbol in package `where`. */
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
  const left: Left[] = [];
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
    const isMeant = seesTarget(qualifier === null ? here : packages.find(nameRead(qualifier), here));
    if (!isMeant) continue;
    if (also.has(kind)) changes.push({ start, end, put: respelled(text.slice(start, end), newName) });
    else left.push({ kind, start });
  }
  return { file: file.file, changes, left };
}

function leftKind({ kind, package: home, name }: Sighting): string {
  if (kind === 'keyword') return `:${name.toLowerCase()}`;
  return kind === 'uninterned' ? `#:${name.toLowerCase()}` : symbolText(home, name);
}

/** What the reader cannot know and the caller must look at. */
function notesOf(
  seen: readonly Seen[],
  isTarget: (sighting: Sighting) => boolean,
  home: string,
  packages: Packages,
  also: ReadonlySet<Also>,
): string[] {
  const placesOf = (role: Sighting['role']) =>
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
          `It is a &key parameter at ${fewOf(keys)}: callers name that by keyword, which has the old name still.`,
        ]
      : []),
    ...(structures.length > 0
      ? [
          `A structure has it at ${fewOf(structures)}: names and keywords that DEFSTRUCT makes of it are not renamed.`,
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `No form defines it, and ${packageText(home)} uses ${fewOf(unknown)}, which may: no file of the project says.`,
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
