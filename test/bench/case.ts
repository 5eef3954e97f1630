/** What `npm run bench` measures. */
export interface Case {
  id: string;
  what: string;
  /** The case that it is compared with, in the same run. */
  against?: string;
  /** What it should come to: so many times the case that it is compared with, or so many milliseconds. */
  goal?: { times: number } | { ms: number };
  /** Not measured. */
  before?: () => Promise<unknown>;
  /** Measured from its call to its end; a number that it answers is taken instead: milliseconds by a better clock. */
  run: () => Promise<unknown>;
  /** Not measured. */
  after?: () => Promise<unknown>;
}

/** Cases, and what ends all that was started for them. */
export interface Cases {
  cases: readonly Case[];
  end: () => Promise<unknown>;
}
