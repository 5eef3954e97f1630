/**
 * A port beside the HTTP server, for a protocol that knows no client: closed until somebody asks for it.
 * @template View what the window shows of it; null, or an empty list, while it is closed
 */
export interface ProtocolPort<View = unknown> {
  readonly view: View;
  /** Where it can be reached, as URLs; none while it is closed. */
  readonly addresses: readonly string[];
  /** @param port 0 takes any free one @throws HarborError `port_in_use` */
  listen(port: number): Promise<void>;
  /** Lets nobody in any more and ends what runs for those who are in. */
  close(): Promise<void>;
}
