/** What a launcher must confine: the single description that bubblewrap, sandbox-exec and the file tools are made from. */
export interface Confinement {
  /** Folders the image may read and write: its project and its session's own. */
  writable: readonly string[];
  /** Files and folders the image may read beyond what its engine needs. */
  readable: readonly string[];
  /** Those of both that a person put on the allow-list, where Common Lisps look for systems as in their libraries. */
  added?: readonly string[];
  /** What is there inside of those and stays out of reach, unless one of them names it or something in it. */
  hidden?: readonly HiddenPlace[];
  /** Whether the image may open network connections. */
  network: boolean;
}

export interface HiddenPlace {
  path: string;
  isFolder: boolean;
}
