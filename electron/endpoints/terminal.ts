/** A listener of a session's, as an endpoint needs it that carries what is typed and shown. */
export interface Terminal {
  /** Settles when the session has ended, for whatever reason. */
  readonly gone: Promise<void>;
  /** Takes a line; settles when that is evaluated, or was read by code. */
  submit(line: string): Promise<void>;
  /** Interrupts what runs, climbing the ladder; at the prompt, forgets a form that was begun. */
  interrupt(): Promise<void>;
  /** Settles when nothing runs any more, or when what runs waits for a line that nobody will type. */
  drained(): Promise<void>;
  /** Interrupts what it runs and gives up its own session. */
  end(): Promise<void>;
}
