/** What `describe` says of a name in the fewest words: nothing that its kind, its printed name or its source says already. */

import { closingLines } from '../closing-lines';
import { placeText } from '../source-places';
import type { Told } from '../told';
import type { DefinitionResult, Description } from './description-result';
import { namesText } from './external-names';

/** Characters of documentation, and of source text: a longer one is read in its file. */
const DOCUMENTATION_CHARACTERS = 1_500;
const CODE_CHARACTERS = 200;
/** Of a topic, which is nothing but documentation and stands in no file. */
const TOPIC_CHARACTERS = 6_000;
/** Methods in a list. */
const METHODS = 20;

export function descriptionText(description: Description, told: Told): string {
  const { session, definitions, disassembly, notes } = description;
  return [
    definitions.map(definitionText).join('\n\n'),
    ...(disassembly === undefined ? [] : [`[disassembly]\n${disassembly}`]),
    ...closingLines(told.sessionNews(session), notes),
  ].join('\n');
}

function definitionText(definition: DefinitionResult): string {
  const { kind, name, arglist, source, command, builtIn, code } = definition;
  const head = [
    [kind, name, arglist].filter(Boolean).join(' '),
    ...(source ? [placeText(source)] : []),
    ...(command === undefined ? [] : [`command ${command}`]),
    ...(builtIn ? ['built in'] : []),
  ];
  const isShort = code !== undefined && code.length <= CODE_CHARACTERS;
  const lines = [
    head.join(' · '),
    ...(isShort ? [code] : [documentationText(definition)]),
    ...valueLines(definition),
    ...classLines(definition),
    ...worldLines(definition),
    ...methodLines(definition),
    ...packageLines(definition),
  ];
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

function documentationText({ kind, documentation = '' }: DefinitionResult): string {
  const most = kind === 'topic' ? TOPIC_CHARACTERS : DOCUMENTATION_CHARACTERS;
  const more = documentation.length - most;
  if (more <= 0) return documentation;
  return `${documentation.slice(0, most)}… ${more} more characters`;
}

/** What a compiler says of a function of which it knows nothing. */
const ANY_FUNCTION = /^\(FUNCTION \((?:T|&OPTIONAL|&REST|&KEY| )*\) \*\)$/;

function valueLines({ type, inline, value, unbound, expansion, marks }: DefinitionResult) {
  return [
    unbound ? 'unbound' : labelled('value', value),
    labelled('type', type !== undefined && ANY_FUNCTION.test(type) ? undefined : type),
    labelled('inline', inline),
    labelled('expands to', expansion),
    marks?.join(', '),
  ];
}

/** Above every class of its kind. */
const TOP_CLASSES: ReadonlySet<string> = new Set(
  'T STANDARD-OBJECT STRUCTURE-OBJECT SB-PCL::SLOT-OBJECT CONDITION SB-KERNEL:INSTANCE'.split(' '),
);

function classLines({ name, metaclass, superclasses = [], subclasses, precedence, slots }: DefinitionResult) {
  const above = (precedence ?? superclasses).filter((each) => each !== name && !TOP_CLASSES.has(each));
  return [
    labelled('metaclass', metaclass),
    labelled('above it', above.join(', ')),
    labelled('subclasses', subclasses?.join(', ')),
    ...(slots ?? []).map(
      (slot) => `slot ${[slot.name, slot.details, slot.documentation].filter(Boolean).join(' · ')}`,
    ),
  ];
}

/** The members of a logical world; what a theorem says is in its event. Rules as the prover keeps them are data. */
function worldLines({
  mode,
  guardsVerified,
  signature,
  guard,
  formula,
  event,
  rules = [],
}: DefinitionResult) {
  const names = (enabled: boolean) =>
    rules.filter((rule) => rule.enabled === enabled).map(({ rune }) => rune);
  return [
    mode === 'program' ? 'mode: program' : undefined,
    guardsVerified === false ? 'guards not verified' : undefined,
    labelled('signature', signature !== undefined && isPlain(signature) ? undefined : signature),
    labelled('guard', guard),
    labelled('formula', event === undefined ? formula : undefined),
    event,
    labelled('rules', names(true).join(' ')),
    labelled('disabled', names(false).join(' ')),
  ];
}

/** No stobjs, and one result: `(APP * *) => *`. */
function isPlain(signature: string): boolean {
  return /^\(\S+(?: \*)*\) => \*$/.test(signature);
}

function methodLines({ methods = [], total = methods.length }: DefinitionResult) {
  const shown = methods.slice(0, METHODS);
  const more = total - shown.length;
  return [
    ...shown.map(({ text, source, documentation }) =>
      [text, source && placeText(source), documentation].filter(Boolean).join(' · '),
    ),
    more > 0 ? `… ${more} more methods` : undefined,
  ];
}

function packageLines({ nicknames, uses, users, locked, externals, names, name }: DefinitionResult) {
  return [
    labelled('nicknames', nicknames?.join(', ')),
    labelled('uses', uses?.join(', ')),
    labelled('used by', users?.join(', ')),
    locked ? 'locked' : undefined,
    ...(names
      ? namesText(names, externals ?? 0, name)
      : [labelled('external symbols', externals?.toString())]),
  ];
}

/** Nothing for an empty text. */
function labelled(label: string, text: string | undefined): string | undefined {
  return text ? `${label}: ${text}` : undefined;
}
