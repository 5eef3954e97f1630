/** Who may do what: pure decisions. */
import type { Client, Scope } from '../contract/model';

/** Each scope is given by name; none includes another. */
export function mayUse(client: Client, scope: Scope): boolean {
  return client.scopes.has(scope);
}

/** A client ends its own sessions; with `admin`, anyone's. @param ownerKey the key of the session's client */
export function mayEnd(client: Client, ownerKey: string): boolean {
  return client.key === ownerKey || client.scopes.has('admin');
}
