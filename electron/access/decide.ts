/** Who may do what: pure decisions. */
import type { Client, Scope } from '../contract/model';

/** Each scope is given by name; none includes another. */
export function mayUse(client: Client, scope: Scope): boolean {
  return client.scopes.has(scope);
}
