/** A port beside the HTTP server, for a protocol that knows no client: closed until somebody asks for it. */
export interface SideDoor {
  /** Where it can be reached, as a URL; null while it is closed. */
  readonly address: string | null;
  /** @param port 0 takes any free one @throws HarborError `port_in_use` */
  listen(port: number): Promise<void>;
  /** Lets nobody in any more and ends what runs for those who are in. */
  close(): Promise<void>;
}
