/** The optional group of an image whose server somebody else started: whether that server has answered lately. */
export interface Heartbeat {
  /** When it answered last, in milliseconds since the epoch; null before the first answer. */
  readonly lastAt: number | null;
  /** How many answers failed to come since. */
  readonly failures: number;
  /** How many operations the server offers. */
  readonly operations: number;
}
