/**
 * Errors that a user or an agent can act on. They cross every boundary as values: a stable code and a message
 * that says what to do. Imports no schemas, because the stdio bridge and commands load it at start.
 */
import { type Mention, messageText, OUR_NAMES, type ToolNames } from './mention';
import type { Note } from './note';

export const ERROR_CODES = [
  'bad_arguments',
  'busy',
  'cancelled',
  'checkpoint_failed',
  'client_unknown',
  'config_foreign',
  'config_unreadable',
  'config_unwritable',
  'data_folder_in_use',
  'data_folder_unusable',
  'engine_failed',
  'engine_unavailable',
  'file_exists',
  'file_missing',
  'file_not_allowed',
  'hash_mismatch',
  'image_lost',
  'internal',
  'memory_short',
  'not_a_file',
  'not_approved',
  'not_held',
  'not_supported',
  'path_not_allowed',
  'paused',
  'port_in_use',
  'profile_not_chosen',
  'project_not_approved',
  'query_failed',
  'scope_missing',
  'secret_path',
  'session_ended',
  'slime_missing',
  'threads_running',
  'took_too_long',
  'unbalanced_code',
  'unknown_checkpoint',
  'unknown_evaluation',
  'unknown_handle',
  'unknown_package',
  'unknown_part',
  'unknown_resource',
  'unknown_session',
  'unknown_symbol',
  'unknown_tool',
  'untrusted_sender',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * An expected failure, converted to `{code, message}` at the boundary. Any other thrown value is a defect.
 */
export class HarborError extends Error {
  readonly code: ErrorCode;
  /** The fact, without names of tools. The message has the mentions as well. */
  readonly text: string;
  /** How to continue with a tool of ours. */
  readonly mentions: readonly Mention[];
  /** Additional notes for the caller. */
  readonly notes: readonly Note[];
  /** Members of the MCP result of the failed call, as another system has them. */
  readonly members: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    text: string,
    { mentions = [], notes = [], members = {}, names = OUR_NAMES }: ErrorDetails = {},
  ) {
    super(messageText({ text, mentions }, names));
    this.name = 'HarborError';
    this.code = code;
    this.text = text;
    this.mentions = mentions;
    this.notes = notes;
    this.members = members;
  }

  /** Returns the same error with another text, other notes, or other names of tools in its message. */
  with({ text = this.text, ...details }: ErrorDetails & { text?: string }): HarborError {
    const { mentions, notes, members } = this;
    return new HarborError(this.code, text, { mentions, notes, members, ...details });
  }
}

export interface ErrorDetails {
  mentions?: readonly Mention[];
  notes?: readonly Note[];
  members?: Readonly<Record<string, string>>;
  /** The names of tools in the message; absent: ours. */
  names?: ToolNames;
}

/** Form of an error at a boundary. */
export type Failure = Pick<HarborError, 'code' | 'message'>;

/** Converts any thrown value. All but a `HarborError` become `internal`. */
export function asFailure(error: unknown): Failure {
  if (error instanceof HarborError) return { code: error.code, message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

/** Maximum number of names in one sentence, and of names that are compared. */
const MAX_LISTED = 12;
const COMPARED = 5_000;
/** Maximum characters of a name that are compared and shown. */
const LONGEST = 120;

/** Suggests the nearest existing names: "There are: a, b and 3 more." */
export function listSimilarNames(requested: string, names: readonly string[]): string {
  return names.length === 0 ? 'There are none.' : `There are: ${similarNames(requested, names)}.`;
}

/** Lists the nearest names: "a, b and 3 more"; empty if there are none. */
export function similarNames(requested: string, names: readonly string[]): string {
  const listed = nearest(requested, names.slice(0, COMPARED)).slice(0, MAX_LISTED);
  const more = names.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Sorts by distance; the sort is stable. */
function nearest(requested: string, names: readonly string[]): string[] {
  const cut = names.map((name) => name.slice(0, LONGEST));
  const wanted = requested.slice(0, LONGEST).toLowerCase();
  const compared = cut.map((name) => ({ name, far: distance(wanted, name.toLowerCase()) }));
  return compared.sort((one, other) => one.far - other.far).map(({ name }) => name);
}

/** Returns the edit distance. It is halved if one name contains the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of [...one].entries()) {
    let corner = at;
    const next = [at + 1];
    for (const [index, compared] of [...other].entries()) {
      const written = Math.min(row[index + 1] ?? 0, next[index] ?? 0) + 1;
      next.push(Math.min(written, corner + (character === compared ? 0 : 1)));
      corner = row[index + 1] ?? 0;
    }
    row = next;
  }
  const far = row[other.length] ?? 0;
  return one.includes(other) || other.includes(one) ? far / 2 : far;
}
