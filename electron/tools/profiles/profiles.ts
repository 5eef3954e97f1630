/** All profiles, in the order in which they are shown. */
import { acl2Profile } from './acl2-profile';
import { clMcpServerProfile } from './cl-mcp-server-profile';
import { defaultProfile } from './default-profile';
import { lispMcpServerProfile } from './lisp-mcp-server-profile';
import { type LisplyProfileOptions, lisplyProfile } from './lisply-profile';
import { type NreplProfileOptions, nreplProfile } from './nrepl-profile';
import type { Profile } from './profile';

export function profiles(options: NreplProfileOptions & LisplyProfileOptions): Profile[] {
  return [
    defaultProfile(options),
    clMcpServerProfile(options),
    lispMcpServerProfile(options),
    acl2Profile(options),
    nreplProfile(options),
    lisplyProfile(options),
  ];
}
