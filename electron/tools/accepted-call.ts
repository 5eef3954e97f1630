/** Validates a call: finds the tool in the profile and parses the arguments. */
import { HarborError, listSimilarNames } from '../contract/errors';

import { acceptedArguments } from './arguments';
import { type Profile, toolNamed } from './profile';
import type { Tool } from './tool';

/** @throws HarborError `unknown_tool` */
function toolOf(profile: Profile, name: string): Tool {
  const tool = toolNamed(profile, name);
  if (tool) return tool;
  const names = profile.tools.map((each) => each.name);
  throw new HarborError(
    'unknown_tool',
    `Profile ${profile.name} has no tool ${name}. ${listSimilarNames(name, names)}`,
  );
}

interface Accepted extends ReturnType<typeof acceptedArguments> {
  profile: Profile;
  name: string;
  tool: Tool;
}

/**
 * Results by the caller's arguments object. A call is checked before the user is asked for approval, and need
 * not be parsed again when it runs.
 */
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
