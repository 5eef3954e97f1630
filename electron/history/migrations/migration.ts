/** One numbered step of the database's schema. Steps are numbered in tens, so that branches do not collide. */
export interface Migration {
  /** What `user_version` reads after this step. */
  version: number;
  sql: string;
}
