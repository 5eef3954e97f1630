/** On whose behalf a file is read: whom a person is asked for, where the allow-list leaves it to them. */
export interface FileCaller {
  /** The client's key. */
  client: string;
  /** The tool as the client called it. */
  tool: string;
  /** Aborted when the client gives the call up. */
  signal?: AbortSignal;
}
