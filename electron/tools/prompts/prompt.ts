/** A prompt that a person can choose in a client (MCP `Prompt`): a beginning that an agent works on from. */
import { HarborError } from '../../contract/errors';

export interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** What the agent is told; `given` has every required argument. */
  text(given: Readonly<Record<string, string>>): string;
}

/** @throws HarborError `bad_arguments` that names what is missing, or what is not known */
export function promptText(prompt: Prompt, given: Readonly<Record<string, string>>): string {
  const missing = prompt.arguments.filter(({ name, required }) => required && !given[name]?.trim());
  const names = new Set(prompt.arguments.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !names.has(name));
  const problems = [
    ...missing.map(({ name, description }) => `${name} is missing: ${description}`),
    ...unknown.map((name) => `${name} is no argument of it`),
  ];
  if (problems.length === 0) return prompt.text(given);
  throw new HarborError('bad_arguments', `Prompt ${prompt.name}: ${problems.join('; ')}.`);
}
