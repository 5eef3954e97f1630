/** All profiles, in the order in which they are shown. */
import { acl2Profile } from './acl2';
import { clMcpServerProfile } from './cl-mcp-server';
import { defaultProfile } from './default';
import { lispMcpServerProfile } from './lisp-mcp-server';
import { type LisplyProfileOptions, lisplyProfile } from './lisply';
import { type NreplProfileOptions, nreplProfile } from './nrepl';
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
