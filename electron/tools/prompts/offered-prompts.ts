/** The prompts as one client sees them: listed, filled from what it may see, completed. */
import { HarborError } from '../../contract/errors';
import { thereAre } from '../../contract/names-there';
import type { Viewer } from '../viewer';
import { checkedPromptArguments, type Given, type Prompt } from './prompt';

/** As `prompts/list` tells it (MCP `Prompt`). */
export interface PromptListing {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}

export class OfferedPrompts {
  readonly #prompts: readonly Prompt[];
  readonly #viewer: () => Viewer;

  /** @param viewer asked anew each time: the project of a client may change */
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

  /** @throws HarborError `bad_arguments`, and what the prompt says of its arguments */
  async get(name: string, given: Given): Promise<{ description: string; text: string }> {
    const prompt = this.#named(name);
    const text = await prompt.text(checkedPromptArguments(prompt, given), this.#viewer());
    return { description: prompt.description, text };
  }

  /** What an argument can be that begins with `beginning`. @throws HarborError `bad_arguments` */
  complete(name: string, argument: string, beginning: string): string[] {
    const known = this.#named(name).arguments.find((each) => each.name === argument);
    const values = known?.values?.(this.#viewer()) ?? [];
    return values.filter((value) => value.startsWith(beginning));
  }

  #named(name: string): Prompt {
    const prompt = this.#prompts.find((candidate) => candidate.name === name);
    if (prompt) return prompt;
    const known = this.#prompts.map((candidate) => candidate.name);
    throw new HarborError('bad_arguments', `Unknown prompt: ${name}. ${thereAre(name, known)}`);
  }
}
