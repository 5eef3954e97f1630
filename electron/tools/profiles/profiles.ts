/** All profiles, in the order in which they are shown. */
import { ProfileName } from '../../contract/profile-names';
import { acl2Profile } from './acl2-profile';
import { clMcpServerProfile } from './cl-mcp-server-profile';
import { defaultProfile } from './default-profile';
import { lispMcpServerProfile } from './lisp-mcp-server-profile';
import { type LisplyProfileOptions, lisplyProfile } from './lisply-profile';
import { type NreplProfileOptions, nreplProfile } from './nrepl-profile';
import type { Profile } from './profile';

export function profiles(options: NreplProfileOptions & LisplyProfileOptions): Profile[] {
  const all: Record<ProfileName, Profile> = {
    default: defaultProfile(options),
    'cl-mcp-server': clMcpServerProfile(options),
    'lisp-mcp-server': lispMcpServerProfile(options),
    acl2: acl2Profile(options),
    nrepl: nreplProfile(options),
    lisply: lisplyProfile(options),
  };
  return ProfileName.options.map((name) => all[name]);
}
