/** A hook among others in a file of settings, in the notation of Claude Code, which Codex took over. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Spot } from '../formats/config-format';
import { end, objectsOnTheWay, parseDocument, propertyOf, source } from '../formats/json-document';
import { json } from '../formats/json-format';
import { indentationAt, inLines, isInline, layoutOf } from '../formats/json-layout';
import { edited } from '../formats/text-edit';
import type { Piece } from './piece';

/** Seconds after which the program goes on without an answer. */
const TIMEOUT = 10;

/** What the commands of our hooks end with, wherever the app is. A group with somebody else's hooks in it is theirs. */
const OwnGroup = z.object({ hooks: z.tuple([z.object({ command: z.string().regex(/ fix --hook$/) })]) });

/** Runs `command` after the tools that `matcher` names. */
export function hookEntry(file: string, matcher: string, command: string): Piece {
  const spot: Spot = { file, keyPath: ['hooks'], name: 'PostToolUse' };
  const wanted = { matcher, hooks: [{ type: 'command', command, timeout: TIMEOUT }] };
  return {
    kind: 'hook',
    file,
    state(text) {
      const { body, own } = groupsIn(text ?? '', spot);
      if (own === undefined) return 'absent';
      return isDeepStrictEqual(contentOf(body, own), wanted) ? 'installed' : 'outdated';
    },
    put(text) {
      const { mark, body, list, own } = groupsIn(text ?? '', spot);
      const last = list?.children?.at(-1);
      if (list === undefined || last === undefined) return json.upsert(text ?? '', spot, [wanted]);
      const [separator, value] = element(body, list, last, wanted);
      const [from, to] = own === undefined ? [end(last), end(last)] : [own.offset, end(own)];
      return mark + edited(body, [{ from, to, text: own === undefined ? separator + value : value }]);
    },
    take(text) {
      const { mark, body, list, own } = groupsIn(text, spot);
      const groups = list?.children ?? [];
      if (own === undefined) return text;
      if (groups.length === 1) return json.remove(text, spot, true);
      const place = groups.indexOf(own);
      const [before, behind] = [groups[place - 1], groups[place + 1]];
      const from = before === undefined ? own.offset : end(before);
      const to = before === undefined && behind ? behind.offset : end(own);
      return mark + edited(body, [{ from, to, text: '' }]);
    },
  };
}

interface Groups {
  mark: string;
  body: string;
  list: Node | undefined;
  own: Node | undefined;
}

/** @throws HarborError `config_unreadable` */
function groupsIn(text: string, spot: Spot): Groups {
  const document = parseDocument(text, spot);
  const { mark, body } = document;
  const hooks = objectsOnTheWay(document, spot)[spot.keyPath.length];
  const list = hooks && propertyOf(body, hooks, spot.name, spot)?.children?.[1];
  if (list !== undefined && list.type !== 'array')
    throw new HarborError(
      'config_unreadable',
      `${spot.file}: "${spot.name}" is no list. The file was left as it is; correct it there and try again.`,
    );
  const own = list?.children?.find((group) => OwnGroup.safeParse(contentOf(body, group)).success);
  return { mark, body, list, own };
}

function contentOf(body: string, node: Node): unknown {
  return JSON.parse(source(body, node));
}

/** As its neighbours are laid out, and what separates it from the last of them. */
function element(body: string, list: Node, last: Node, value: unknown): [separator: string, value: string] {
  if (isInline(body, list)) return [', ', JSON.stringify(value)];
  const layout = layoutOf(body);
  const indentation = indentationAt(body, last.offset);
  return [`,${layout.eol}${indentation}`, inLines(value, indentation, layout)];
}
