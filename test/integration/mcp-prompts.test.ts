/** Prompts of a started harbor, in both protocol eras. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await StartedHarbor.start();
}, 60_000);

afterAll(async () => {
  await harbor.stop();
});

describe.each(['legacy', 'modern'] as const)('prompts in the %s era', (era) => {
  it('are listed with their arguments', async () => {
    const client = await harbor.client(era);
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      {
        name: 'prove_theorem',
        title: 'Prove a theorem',
        arguments: [
          { name: 'theorem', required: true },
          { name: 'session', required: false },
        ],
      },
    ]);
  });

  it('carry what was given', async () => {
    const client = await harbor.client(era);
    const given = { theorem: '(equal (rev (rev x)) x)', session: 'acl2-1' };
    const { messages } = await client.getPrompt({ name: 'prove_theorem', arguments: given });
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
    const text = messages[0]?.content.type === 'text' ? messages[0].content.text : '';
    expect(text).toContain('Prove this theorem with ACL2:\n\n(equal (rev (rev x)) x)\n');
    expect(text).toContain('Work in session acl2-1');
  });

  it('are refused by name, and without what they need', async () => {
    const client = await harbor.client(era);
    await expect(client.getPrompt({ name: 'no_such' })).rejects.toThrow(
      'Unknown prompt: no_such. There are: prove_theorem.',
    );
    await expect(client.getPrompt({ name: 'prove_theorem' })).rejects.toThrow('theorem is missing');
    await expect(
      client.getPrompt({ name: 'prove_theorem', arguments: { theorem: 'x', colour: 'red' } }),
    ).rejects.toThrow('colour is no argument of it');
  });
});
