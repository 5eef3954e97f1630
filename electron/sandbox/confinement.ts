/** What a launcher must confine: the single description that bubblewrap, sandbox-exec and the file tools are made from. */
export interface Confinement {
  /** Folders the image may read and write: its project and its session's own. */
  writable: readonly string[];
  /** Files and folders the image may read beyond what its engine needs. */
  readable: readonly string[];
  /** Whether the image may open network connections. */
  network: boolean;
}
