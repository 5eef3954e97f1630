/** MCP prompts that a user can choose in a client: a first message from which an agent works. */

import { HarborError, listSimilarNames } from '../../contract/errors';

import type { Viewer } from '../viewer';

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  /** Returns possible values, the most likely first; absent: any value. */
  values?: (viewer: Viewer) => readonly string[];
}

/** The given arguments, including every required one. */
type Given = Readonly<Record<string, string>>;

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /**
   * Returns the message to the agent, filled with the state that the viewer sees.
   * @throws HarborError if an argument names something that does not exist
   */
  text(given: Given, viewer: Viewer): string | Promise<string>;
}

/** @throws HarborError `bad_arguments`, naming what is missing or unknown */
function checkedPromptArguments({ name, arguments: known }: Prompt, given: Given): Given {
  const missing = known.filter((argument) => argument.required && !given[argument.name]?.trim());
  const names = new Set(known.map((argument) => argument.name));
  const unknown = Object.keys(given).filter((each) => !names.has(each));
  const problems = [
    ...missing.map((argument) => `${argument.name} is missing: ${argument.description}`),
    ...unknown.map((each) => `${each} is not an argument of it`),
  ];
  if (problems.length === 0) return given;
  throw new HarborError('bad_arguments', `Prompt ${name}: ${problems.join('; ')}.`);
}

// The prompts as one client sees them: listed, filled and completed.

/** A prompt as `prompts/list` sends it (MCP `Prompt`). */
interface PromptListing {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}

export class OfferedPrompts {
  readonly #prompts: readonly Prompt[];
  readonly #viewer: () => Viewer;

  /** @param viewer called each time, since the project of a client may change */
  constructor(prompts: readonly Prompt[], viewer: () => Viewer) {
    this.#prompts = prompts;
    this.#viewer = viewer;
  }

  get listed(): PromptListing[] {
    return this.#prompts.map(({ name, title, description, arguments: all }) => ({
      name,
      title,
      description,
      arguments: all.map((argument) => ({
        name: argument.name,
        description: argument.description,
        required: argument.required,
      })),
    }));
  }

  /** @throws HarborError `bad_arguments`, and errors of the prompt about its arguments */
  async get(name: string, given: Given): Promise<{ description: string; text: string }> {
    const prompt = this.#named(name);
    const text = await prompt.text(checkedPromptArguments(prompt, given), this.#viewer());
    return { description: prompt.description, text };
  }

  /**
   * Returns the values of an argument that begin with `beginning`.
   * @throws HarborError `bad_arguments`
   */
  complete(name: string, argument: string, beginning: string): string[] {
    const known = this.#named(name).arguments.find((each) => each.name === argument);
    const values = known?.values?.(this.#viewer()) ?? [];
    return values.filter((value) => value.startsWith(beginning));
  }

  #named(name: string): Prompt {
    const prompt = this.#prompts.find((candidate) => candidate.name === name);
    if (prompt) return prompt;
    const known = this.#prompts.map((candidate) => candidate.name);
    throw new HarborError('bad_arguments', `Unknown prompt: ${name}. ${listSimilarNames(name, known)}`);
  }
}
