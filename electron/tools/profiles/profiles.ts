/** All profiles, in the order in which they are shown. */
import { acl2Profile } from './acl2';
import { clMcpServerProfile } from './cl-mcp-server';
import { type DefaultProfileOptions, defaultProfile } from './default';
import type { Profile } from './profile';

export function profiles(options: DefaultProfileOptions): Profile[] {
  return [defaultProfile(options), clMcpServerProfile(options), acl2Profile(options)];
}
