/**
 * Objects of ACL2's as JSON, as the Bridge's own encoder writes them (community book centaur/bridge/to-json, topic
 * JSON-ENCODING): every atom is a string, numbers included; a list whose every element is a pair that begins with an atom
 * is an object, every other list an array, of which what is behind a dot is the last element.
 */
import type { Acl2List, Acl2Object } from './acl2-object';

/** What is no printable ASCII, and what JSON has its own meaning for. */
const SPECIAL = /[^\x20-\x7e]|["\\]/g;

export function jsonOf(object: Acl2Object): string {
  if (typeof object === 'string') return jsonString(object);
  if (object.items.length === 0) return jsonString('NIL');
  return isSimpleAlist(object) ? jsonObject(object) : jsonArray(object);
}

interface Pair extends Acl2List {
  items: [string, ...Acl2Object[]];
}

function isSimpleAlist(list: Acl2List): list is Acl2List & { items: Pair[] } {
  return list.tail === null && list.items.every(isPair);
}

function isPair(object: Acl2Object): object is Pair {
  return typeof object !== 'string' && typeof object.items[0] === 'string';
}

function jsonObject({ items }: { items: Pair[] }): string {
  return `{${joined(items.map((pair) => `${jsonString(pair.items[0])}:${jsonOf(restOf(pair))}`))}}`;
}

function jsonArray({ items, tail }: Acl2List): string {
  const elements = items.map(jsonOf);
  return `[${joined(tail === null ? elements : [...elements, jsonString(tail)])}]`;
}

/** The CDR of a pair. */
function restOf({ items, tail }: Pair): Acl2Object {
  const [, ...rest] = items;
  return rest.length === 0 && tail !== null ? tail : { items: rest, tail };
}

/** A new line goes behind what ends in a bracket, or a large object would be one line. */
function joined(elements: readonly string[]): string {
  const last = elements.length - 1;
  return elements.map((text, index) => (index === last ? text : `${text}${separatorAfter(text)}`)).join('');
}

function separatorAfter(text: string): string {
  return text.endsWith(']') || text.endsWith('}') ? ',\n' : ',';
}

function jsonString(text: string): string {
  return `"${text.replaceAll(SPECIAL, escaped)}"`;
}

function escaped(char: string): string {
  if (char === '"' || char === '\\') return `\\${char}`;
  return `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
