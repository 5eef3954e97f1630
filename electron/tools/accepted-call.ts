/** What a call asks for, once its arguments are known to be those of a tool of the profile. */
import { HarborError } from '../contract/errors';
import { thereAre } from '../contract/names-there';
import { acceptedArguments } from './arguments';
import { type Profile, toolNamed } from './profiles/profile';
import type { Tool } from './tool';

/** @throws HarborError `unknown_tool` */
function toolOf(profile: Profile, name: string): Tool {
  const tool = toolNamed(profile, name);
  if (tool) return tool;
  const names = profile.tools.map((each) => each.name);
  throw new HarborError(
    'unknown_tool',
    `Profile ${profile.name} has no tool ${name}. ${thereAre(name, names)}`,
  );
}

interface Accepted extends ReturnType<typeof acceptedArguments> {
  profile: Profile;
  name: string;
  tool: Tool;
}

/** What a call gave is looked at before a person is asked, and needs no second look when it runs. */
const ACCEPTED = new WeakMap<object, Accepted>();

/** @throws HarborError `unknown_tool`, `bad_arguments` */
export function accepted(profile: Profile, name: string, given: unknown): Accepted {
  const key = Object(given);
  const known = ACCEPTED.get(key);
  if (known?.profile === profile && known.name === name) return known;
  const tool = toolOf(profile, name);
  const looked = { profile, name, tool, ...acceptedArguments(tool, given, profile.refusesUnknown) };
  ACCEPTED.set(key, looked);
  return looked;
}
