/** A site in words and as a diff, for people to decide on. Pure. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { ConnectState, ConnectView } from '../contract/model';
import { snippetOf } from './merge';
import { type Reading, type Site, stateOf, targetOf } from './site';
import { SERVER_NAME } from './table';

/** What the window and the command line show of a program whose file could be read. */
export function viewOf(reading: Reading, platform: NodeJS.Platform): ConnectView {
  const state = stateOf(reading);
  return view(reading, platform, state, detailOf(reading, state));
}

/** The same for a file that could not be read; `problem` says why. */
export function viewOfUnreadable(site: Site, platform: NodeJS.Platform, problem: string): ConnectView {
  return view(site, platform, 'unreadable', problem);
}

/** The exact change as a unified diff; null is a file that does not exist. Empty when both are the same. */
export function unifiedDiff(file: string, before: Buffer | null, after: Buffer | null): string {
  if (before && after ? before.equals(after) : before === after) return '';
  const [from, to] = [before ? file : '/dev/null', after ? file : '/dev/null'];
  const [old, fresh] = [before?.toString() ?? '', after?.toString() ?? ''];
  return createTwoFilesPatch(from, to, old, fresh, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

function view(site: Site, platform: NodeJS.Platform, state: ConnectState, detail: string): ConnectView {
  const { place, program, wanted } = site;
  const command = program.shellLine?.(wanted, platform);
  return {
    name: program.name,
    title: program.title,
    file: place.file,
    state,
    detail: place.note === undefined ? detail : `${detail} ${place.note}`,
    snippet: snippetOf(targetOf(site), program.shape.write(wanted)),
    ...(command !== undefined && { command }),
    afterwards: program.afterwards,
  };
}

function detailOf({ entry, program, record, wanted }: Reading, state: ConnectState): string {
  const { title, shape, whenGone } = program;
  switch (state) {
    case 'connected':
      return `The entry "${SERVER_NAME}" starts this harbor.`;
    case 'outdated': {
      const command = shape.read(entry);
      const line = command ? [command.command, ...command.args].join(' ') : 'something else';
      return `The entry "${SERVER_NAME}" starts ${line} instead of ${wanted.command}; connect again to refresh it.`;
    }
    case 'foreign':
      return `An entry "${SERVER_NAME}" that Lisp Harbor did not write is there; rename or remove it in the file, then connect.`;
    default:
      if (record) return `The entry was written on ${day(record.writtenAt)} but is gone: ${whenGone}.`;
      return state === 'absent'
        ? `${title} was not found on this computer; connecting writes the file that it will read once it is installed.`
        : `Not connected yet; connecting adds one entry, "${SERVER_NAME}", and changes nothing else.`;
  }
}

/** In ISO order and the computer's own time zone. */
function day(time: number): string {
  const date = new Date(time);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
