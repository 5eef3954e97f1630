/** Whose sessions are whose: a client uses its own, an administrator anyone's. */
import type { Client } from '../contract/model';
import type { SessionIdentity } from './session/evaluation-request';

export function maySee(client: Client, identity: Pick<SessionIdentity, 'client'>): boolean {
  return identity.client === client.key || client.scopes.has('admin');
}
