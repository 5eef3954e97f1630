/** What `npm run bench` measures. */
export interface Case {
  id: string;
  what: string;
  against?: string;
  /** Not measured. */
  before?: () => Promise<unknown>;
  /** Measured from its call to its end; a number that it answers is taken instead: milliseconds by a better clock. */
  run: () => Promise<unknown>;
  /** Not measured. */
  after?: () => Promise<unknown>;
}
