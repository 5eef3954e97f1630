/** A prompt that a person can choose in a client (MCP `Prompt`): a beginning that an agent works on from. */
import { HarborError } from '../../contract/errors';
import type { Viewer } from '../viewer';

export interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  /** What can be given, the likeliest first; absent: anything. */
  values?: (viewer: Viewer) => readonly string[];
}

/** The arguments that were given, with every required one. */
export type Given = Readonly<Record<string, string>>;

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** What the agent is told, filled from the state that the viewer sees.
   * @throws HarborError when an argument names what there is not */
  text(given: Given, viewer: Viewer): string | Promise<string>;
}

/** @throws HarborError `bad_arguments` that names what is missing, or what is not known */
export function checkedPromptArguments({ name, arguments: known }: Prompt, given: Given): Given {
  const missing = known.filter((argument) => argument.required && !given[argument.name]?.trim());
  const names = new Set(known.map((argument) => argument.name));
  const unknown = Object.keys(given).filter((each) => !names.has(each));
  const problems = [
    ...missing.map((argument) => `${argument.name} is missing: ${argument.description}`),
    ...unknown.map((each) => `${each} is no argument of it`),
  ];
  if (problems.length === 0) return given;
  throw new HarborError('bad_arguments', `Prompt ${name}: ${problems.join('; ')}.`);
}
