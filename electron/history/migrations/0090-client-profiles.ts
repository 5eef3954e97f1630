/** The profile that the user chose for a client: by the name of its token, or of its program over stdio. */
import type { Migration } from './migration';

export const clientProfiles: Migration = {
  version: 90,
  sql: `create table client_profiles (
  client text primary key, -- the client's key; a token that is issued anew under its name keeps the choice
  profile text not null
);`,
};
