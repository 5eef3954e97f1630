/** What `describe` answers of a name: its definitions as data, and as text with every fact of the data. */
import type { Definition } from '../../contract/knowledge';
import { type PlaceResult, placeText, type SourcePlaces } from '../source-places';

/** A definition with places as results show them; the schema that clients see leaves out most of it. */
export type DefinitionResult = Omit<Definition, 'source' | 'methods'> & {
  source?: PlaceResult;
  methods?: { text: string; documentation?: string | undefined; source?: PlaceResult }[];
};

export interface Description {
  session: string;
  symbol: string;
  status: string;
  definitions: readonly DefinitionResult[];
  disassembly?: string;
  notes: readonly string[];
}

export function definitionResult(
  { source, methods, ...rest }: Definition,
  view: SourcePlaces,
): DefinitionResult {
  return {
    ...rest,
    ...(source === undefined ? {} : { source: view.place(source) }),
    ...(methods === undefined
      ? {}
      : {
          methods: methods.map(({ source: place, ...method }) => ({
            ...method,
            ...(place === undefined ? {} : { source: view.place(place) }),
          })),
        }),
  };
}

export function descriptionText(description: Description): string {
  const { session, symbol, status, definitions, disassembly, notes } = description;
  return [
    `${symbol} · ${status}`,
    ...definitions.map(definitionText),
    ...(disassembly === undefined ? [] : [`[disassembly]\n${disassembly}`]),
    [`; ${session}`, ...notes.map((note) => `; note: ${note}`)].join('\n'),
  ].join('\n\n');
}

function definitionText(definition: DefinitionResult): string {
  const { kind, name, arglist, documentation, source, methods, total, slots, code } = definition;
  const lines = [
    `[${kind}] ${name}${arglist === undefined ? '' : ` ${arglist}`}`,
    documentation,
    source && `source: ${placeText(source)}`,
    ...memberLines(definition),
    ...worldLines(definition),
    ...(slots ?? []).map((slot) => `slot ${slot.name}${tail(slot.details)}${tail(slot.documentation)}`),
    ...(methods ?? []).map(
      (method) =>
        `${method.text}${tail(method.source && placeText(method.source))}${tail(method.documentation)}`,
    ),
    total !== undefined && total > (methods ?? []).length ? `${total} methods in all` : undefined,
    code,
  ];
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

/** The members that are one value or a list of names each. */
function memberLines(definition: DefinitionResult): (string | undefined)[] {
  const { type, inline, value, unbound, expansion, metaclass, externals, locked } = definition;
  const { superclasses, subclasses, precedence, nicknames, uses, users, marks } = definition;
  return [
    unbound ? 'unbound' : labelled('value', value),
    labelled('type', type),
    labelled('inline', inline),
    labelled('expands to', expansion),
    labelled('metaclass', metaclass),
    labelled('superclasses', superclasses?.join(', ')),
    labelled('subclasses', subclasses?.join(', ')),
    labelled('precedence', precedence?.join(', ')),
    labelled('nicknames', nicknames?.join(', ')),
    labelled('uses', uses?.join(', ')),
    labelled('used by', users?.join(', ')),
    marks?.join(', '),
    labelled('external symbols', externals?.toString()),
    locked ? 'locked' : undefined,
  ];
}

/** The members of a logical world. */
function worldLines(definition: DefinitionResult): (string | undefined)[] {
  const { command, builtIn, mode, guardsVerified, signature, guard, formula } = definition;
  const { event, rules, rulesText, properties } = definition;
  return [
    builtIn ? 'built in' : labelled('command', command?.toString()),
    labelled('mode', mode),
    guardsVerified === undefined ? undefined : `guards ${guardsVerified ? '' : 'not '}verified`,
    labelled('signature', signature),
    labelled('guard', guard),
    labelled('formula', formula),
    labelled('event', event),
    ...(rules ?? []).map(({ rune, enabled }) => `rule ${rune} · ${enabled ? 'enabled' : 'disabled'}`),
    rulesText,
    ...(properties ?? []).map((property) => `property ${property}`),
  ];
}

function labelled(label: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${label}: ${text}`;
}

function tail(text: string | undefined): string {
  return text ? ` · ${text}` : '';
}
