/** A site in words, for people to decide on. Pure. */
import type { ClientChoice, ConnectState, ConnectView } from '../contract/connections';
import { snippetOf } from './merge';
import { type ClientProgram, SERVER_NAME, type Verified } from './programs/client-program';
import { type Reading, type Site, stateOf, targetOf } from './site';
import type { StdioCommand } from './stdio-command';

/** What a view tells beside the file. */
export interface Told {
  platform: NodeJS.Platform;
  stdio: StdioCommand;
  address: string | null;
  choice: ClientChoice;
}

/** What the window and the command line show of a program whose file could be read. */
export function viewOf(reading: Reading, told: Told): ConnectView {
  const state = stateOf(reading);
  const { record } = reading;
  return {
    ...view(reading, told, state, detailOf(reading, state)),
    transport: reading.found?.kind ?? null,
    ...(record?.before.existed === true && state !== 'dropped' && { backup: record.before.backup }),
  };
}

/** The same for a file that could not be read; `problem` says why. */
export function viewOfUnreadable(site: Site, told: Told, problem: string): ConnectView {
  return view(site, told, 'unreadable', problem);
}

/** The same for a program without a file. */
export function viewByHand(program: ClientProgram, told: Told): ConnectView {
  const site = { program, kind: program, place: { file: program.title, evidence: [] }, evident: false };
  const detail = `${program.title} keeps its servers where no other program writes. ${program.afterwards}`;
  return { ...view({ ...site, record: undefined }, told, 'manual', detail), file: null };
}

/** Stands where a token is yet to be put in. */
const NO_TOKEN = '<token>';

function view(site: Site, told: Told, state: ConnectState, detail: string): ConnectView {
  const { place, program, kind, evident } = site;
  const { platform, stdio, address, choice } = told;
  const command = program.shellLine?.(stdio, platform);
  const entry = kind.notation.stdio(stdio);
  const link = program.link?.(entry);
  const http = address === null ? undefined : kind.notation.http?.({ url: address, token: NO_TOKEN });
  const trap = state === 'connected' ? program.trap : undefined;
  return {
    name: program.name,
    title: program.title,
    file: place.file,
    state,
    detail: [detail, place.note, trap].filter((each) => each !== undefined).join(' '),
    found: evident,
    transport: null,
    takesHttp: kind.notation.http !== undefined,
    choice,
    snippet: snippetOf(targetOf(site), entry),
    ...(http && { httpSnippet: snippetOf(targetOf(site), http) }),
    ...(command !== undefined && { command }),
    ...(link !== undefined && { link }),
    afterwards: program.afterwards,
    verified: verifiedText(program.title, program.verified),
  };
}

function verifiedText(title: string, verified: Verified): string {
  return verified.by === 'run'
    ? `${title} ${verified.version} was run with what is written, the command and the address.`
    : `By its documentation: ${verified.at}.`;
}

function detailOf({ entry, program, record, found, wanted }: Reading, state: ConnectState): string {
  const { title, whenGone } = program;
  switch (state) {
    case 'connected':
      return `The entry "${SERVER_NAME}" ${wanted.kind === 'http' ? `has the address ${wanted.url} and a token of its own; the harbor has to run when ${title} does` : 'starts this harbor'}.`;
    case 'moved':
      return `The entry "${SERVER_NAME}" has the address ${found?.kind === 'http' ? found.url : ''}; the harbor is at ${wanted.kind === 'http' ? wanted.url : ''} now. Connect again to follow.`;
    case 'outdated':
      return outdated(found, wanted, entry);
    case 'foreign':
      return `An entry "${SERVER_NAME}" that Lisp Harbor did not write is there; rename or remove it in the file, then connect.`;
    case 'dropped':
      return `The entry was written on ${day(record?.writtenAt ?? 0)} but is gone: ${whenGone}.`;
    case 'absent':
      return `${title} was not found on this computer; connecting writes the file that it will read once it is installed.`;
    default:
      return `Not connected yet; connecting adds one entry, "${SERVER_NAME}", and changes nothing else.`;
  }
}

function outdated(found: Reading['found'], wanted: Reading['wanted'], entry: unknown): string {
  if (found?.kind === 'http')
    return `The entry "${SERVER_NAME}" has a token that this harbor does not know, or has revoked; connect again for a new one.`;
  const line = found ? [found.command, ...found.args].join(' ') : JSON.stringify(entry);
  const here = wanted.kind === 'stdio' ? wanted.command : wanted.url;
  return `The entry "${SERVER_NAME}" starts ${line} instead of ${here}; connect again to refresh it.`;
}

/** In ISO order and the computer's own time zone. */
function day(time: number): string {
  const date = new Date(time);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
