/** `list-tools`: the tools that an agent sees, with the first sentence about each. */
import { z } from 'zod';
import { runningHarbor, type Subcommand } from './subcommand';

const Listing = z.object({ tools: z.array(z.object({ name: z.string(), description: z.string() })) });

export const listTools: Subcommand = {
  usage: '[--profile NAME] [--data DIR]',
  about: 'prints the tools of a profile, with the first sentence about each',
  positionals: 0,
  takes: ['data', 'profile'],
  async run({ folder, options: { profile }, say }) {
    const mcp = await runningHarbor(folder).mcp(profile === undefined ? {} : { profile });
    try {
      const { tools } = Listing.parse(await mcp.ask('tools/list'));
      const width = Math.max(...tools.map(({ name }) => name.length));
      for (const { name, description } of tools) say(`${name.padEnd(width)}  ${firstSentence(description)}`);
      return 0;
    } finally {
      mcp.close();
    }
  },
};

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replaceAll(/\s+/g, ' ') ?? text;
}
