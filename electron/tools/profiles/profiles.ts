/** All profiles, in the order in which they are shown. */
import { acl2Profile } from './acl2';
import { clMcpServerProfile } from './cl-mcp-server';
import { defaultProfile } from './default';
import { type NreplProfileOptions, nreplProfile } from './nrepl';
import type { Profile } from './profile';

export function profiles(options: NreplProfileOptions): Profile[] {
  return [defaultProfile(options), clMcpServerProfile(options), acl2Profile(options), nreplProfile(options)];
}
