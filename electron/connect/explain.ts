/** Describes the state of a client program for the window and the command line. Pure. */
import type { ClientChoice, ConnectState, ConnectView } from '../contract/clients';
import { additionsOf, type ClientInstallation, type Reading, stateOf, targetOf } from './client-installation';
import { snippetOf } from './merge';
import { type ClientProgram, SERVER_NAME, type Verified } from './programs/client-program';
import type { StdioCommand } from './transport';

/** Facts of a view that are not in the file. */
export interface ViewFacts {
  platform: NodeJS.Platform;
  stdio: StdioCommand;
  address: string | null;
  choice: ClientChoice;
}

/** Returns the view of a program with a readable file. */
export function viewOf(reading: Reading, facts: ViewFacts): ConnectView {
  const state = stateOf(reading);
  const { record } = reading;
  return {
    ...view(reading, facts, state, detailOf(reading, state)),
    transport: reading.found?.kind ?? null,
    ...(record?.before.existed === true && state !== 'dropped' && { backup: record.before.backup }),
  };
}

/** Returns the view of a program with an unreadable file; `problem` is the reason. */
export function viewOfUnreadable(
  installation: ClientInstallation,
  facts: ViewFacts,
  problem: string,
): ConnectView {
  return view(installation, facts, 'unreadable', problem);
}

/** Returns the view of a program without a file. */
export function viewByHand(program: ClientProgram, facts: ViewFacts): ConnectView {
  const installation = {
    program,
    kind: program,
    path: { file: program.title, evidence: [] },
    evident: false,
  };
  const detail = `${program.title} stores its servers where no other program can write. ${program.afterwards}`;
  return { ...view({ ...installation, record: undefined }, facts, 'manual', detail), file: null };
}

/** Placeholder of a token that the user inserts. */
const NO_TOKEN = '<token>';

function view(
  installation: ClientInstallation,
  facts: ViewFacts,
  state: ConnectState,
  detail: string,
): ConnectView {
  const { path: location, program, kind, evident } = installation;
  const { platform, stdio, address, choice } = facts;
  const command = program.shellLine?.(stdio, platform);
  const entry = kind.notation.stdio(stdio);
  const link = program.link?.(entry);
  const http = address === null ? undefined : kind.notation.http?.({ url: address, token: NO_TOKEN });
  const trap = state === 'connected' ? program.trap : undefined;
  return {
    name: program.name,
    title: program.title,
    file: location.file,
    state,
    detail: [detail, location.note, trap].filter((each) => each !== undefined).join(' '),
    found: evident,
    transport: null,
    takesHttp: kind.notation.http !== undefined,
    choice,
    snippet: snippetOf(targetOf(installation), entry),
    ...(http && { httpSnippet: snippetOf(targetOf(installation), http) }),
    ...(command !== undefined && { command }),
    ...(link !== undefined && { link }),
    afterwards: program.afterwards,
    verified: verifiedText(program.title, program.verified),
  };
}

function verifiedText(title: string, verified: Verified): string {
  return verified.by === 'run'
    ? `Tested with ${title} ${verified.version}, with the command and with the address.`
    : `According to its documentation: ${verified.at}.`;
}

function detailOf(reading: Reading, state: ConnectState): string {
  const { program, record, found, wanted } = reading;
  const { title, whenRemoved } = program;
  const added = additionsOf(reading);
  switch (state) {
    case 'connected':
      return `The entry "${SERVER_NAME}" ${wanted.kind === 'http' ? `has the address ${wanted.url} and its own token; the harbor must run when ${title} does` : 'starts this harbor'}.${added.length === 0 ? '' : ` Lisp Harbor did not write its ${added.join(', ')}; connecting again removes that.`}`;
    case 'moved':
      return `The entry "${SERVER_NAME}" has the address ${found?.kind === 'http' ? found.url : ''}, but the harbor is now at ${wanted.kind === 'http' ? wanted.url : ''}. Connect again to update it.`;
    case 'outdated':
      return outdated(reading, added);
    case 'foreign':
      return `There is an entry "${SERVER_NAME}" that Lisp Harbor did not write. Rename or remove it in the file, then connect.`;
    case 'dropped':
      return `The entry was written on ${day(record?.writtenAt ?? 0)} but was removed since: ${whenRemoved}.`;
    case 'absent':
      return `${title} was not found on this computer. Connecting writes the file that it will read once it is installed.`;
    default:
      return `Not connected. Connecting adds one entry, "${SERVER_NAME}", and changes nothing else.`;
  }
}

function outdated({ found, wanted, entry }: Reading, added: readonly string[]): string {
  if (found?.kind === 'http')
    return `The entry "${SERVER_NAME}" has a token that is unknown to this harbor or revoked. Connect again for a new one.`;
  const line = found ? [found.command, ...found.args].join(' ') : JSON.stringify(entry);
  const here = wanted.kind === 'stdio' ? wanted.command : wanted.url;
  return `The entry "${SERVER_NAME}" starts ${line} instead of ${here}, and differs in ${added.join(', ')}. Connect again to replace the whole entry.`;
}

/** Formats a date as ISO, in the local time zone. */
function day(time: number): string {
  const date = new Date(time);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
