/**
 * Errors that a person or an agent can act on. They cross every boundary as values: a stable code and a message that says what to do.
 * Nothing is imported here: the stdio bridge and commands start with it.
 */

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

/** Thrown inside, turned into `{code, message}` at the boundary. Anything else that is thrown is a defect of ours. */
export class HarborError extends Error {
  readonly code: ErrorCode;
  /** What else whoever gets it must know. */
  readonly notes: readonly string[];

  constructor(code: ErrorCode, message: string, notes: readonly string[] = []) {
    super(message);
    this.name = 'HarborError';
    this.code = code;
    this.notes = notes;
  }

  /** The same in other words. */
  saying(message: string, notes: readonly string[]): HarborError {
    return new HarborError(this.code, message, notes);
  }
}

/** What crosses a boundary in place of an error. */
export type Failure = Pick<HarborError, 'code' | 'message'>;

/** What is no `HarborError` is a defect of ours, and told as `internal`. */
export function asFailure(error: unknown): Failure {
  if (error instanceof HarborError) return { code: error.code, message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
