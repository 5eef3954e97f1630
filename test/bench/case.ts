/** What `npm run bench` measures. */
export interface Case {
  id: string;
  what: string;
  against?: string;
  /** Not measured. */
  before?: () => Promise<unknown>;
  run: () => Promise<unknown>;
  /** Not measured. */
  after?: () => Promise<unknown>;
}
