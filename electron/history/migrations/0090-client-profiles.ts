/** Which profile a person chose for a client: of a token, by its name, or of a program that comes over stdio. */
import type { Migration } from './migration';

export const clientProfiles: Migration = {
  version: 90,
  sql: `create table client_profiles (
  client text primary key, -- the client's key; a token that is issued anew under its name keeps the choice
  profile text not null
);`,
};
