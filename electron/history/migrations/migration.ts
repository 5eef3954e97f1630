/** A numbered step of the database schema. Numbers are multiples of ten, so that branches do not collide. */
export interface Migration {
  /** The `user_version` after this step. */
  version: number;
  sql: string;
}
