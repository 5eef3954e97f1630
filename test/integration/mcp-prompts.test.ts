/** Prompts of a started harbor, in both protocol eras: listed, filled from what there is, completed. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});

afterAll(() => harbor.stop());

async function text(client: Client, name: string, given: Record<string, string>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: given });
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
  return messages[0]?.content.type === 'text' ? messages[0].content.text : '';
}

async function completions(client: Client, name: string, argument: string, value = ''): Promise<string[]> {
  const ref = { type: 'ref/prompt' as const, name };
  return (await client.complete({ ref, argument: { name: argument, value } })).completion.values;
}

describe.each(['legacy', 'modern'] as const)('prompts in the %s era', (era) => {
  it('are listed with their arguments', async () => {
    const client = await harbor.client(era);
    const { prompts } = await client.listPrompts();
    const told = prompts.map(({ name, arguments: all = [] }) => [
      name,
      ...all.map((argument) => `${argument.name}${argument.required ? '' : '?'}`),
    ]);
    expect(told).toEqual([
      ['start_repl_work', 'goal', 'project?', 'engine?'],
      ['prove_theorem', 'theorem', 'session?'],
      ['debug_condition', 'session?', 'evaluation?'],
    ]);
  });

  it('carry what was given', async () => {
    const given = { theorem: '(equal (rev (rev x)) x)', session: 'acl2-1' };
    const told = await text(await harbor.client(era), 'prove_theorem', given);
    expect(told).toContain('Prove this theorem with ACL2:\n\n(equal (rev (rev x)) x)\n');
    expect(told).toContain('Work in session acl2-1');
  });

  it('are refused by name, and without what they need', async () => {
    const client = await harbor.client(era);
    await expect(client.getPrompt({ name: 'no_such' })).rejects.toThrow(
      /Unknown prompt: no_such\. There are: (?=.*start_repl_work)(?=.*prove_theorem)(?=.*debug_condition)/,
    );
    await expect(client.getPrompt({ name: 'prove_theorem' })).rejects.toThrow('theorem is missing');
    await expect(
      client.getPrompt({ name: 'prove_theorem', arguments: { theorem: 'x', colour: 'red' } }),
    ).rejects.toThrow('colour is not an argument of it');
  });

  it('begin REPL work from the project, its sessions and its last evaluations', async () => {
    const client = await harbor.client(era);
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
    const { session } = structured;
    const { id } = (await evaluate(client, '(defun area (r) (* pi r r))', { session })).structured;
    const told = await text(client, 'start_repl_work', { goal: 'Compute areas.', engine: 'sbcl' });
    expect(told).toContain('Work REPL-first on this:\n\nCompute areas.\n');
    expect(told).toContain(`Project: ${harbor.project}\nEngine: sbcl `);
    expect(told).toContain(`- ${session} (sbcl, idle, package CL-USER)`);
    expect(told).toContain(`- ${id} ok: (defun area (r) (* pi r r))`);
    expect(await completions(client, 'start_repl_work', 'engine', 'n')).toEqual(['nrepl', 'nbb']);
    expect(await completions(client, 'start_repl_work', 'project')).toEqual([harbor.project]);
    await expect(
      client.getPrompt({ name: 'start_repl_work', arguments: { goal: 'x', project: '/etc' } }),
    ).rejects.toThrow('project_not_approved');
  });

  it('begin debugging where a session is held, or from the history', async () => {
    const client = await harbor.client(era);
    const failed = await evaluate(client, '(error "gone ~a" :wrong)', {});
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
    const { session } = structured;
    const code = '(let ((x 1)) (car x))';
    const held = await evaluate(client, code, { session, on_error: 'debug' });
    const told = await text(client, 'debug_condition', { session });
    expect(told).toContain(`Evaluation ${held.structured.id} · debugger · sbcl`);
    expect(told).toContain(code);
    expect(told).toContain('[SIMPLE-TYPE-ERROR] (debugger level 1)');
    expect(told).toContain(`suspended in the debugger of session ${session}`);
    const earlier = await text(client, 'debug_condition', { evaluation: String(failed.structured.id) });
    expect(earlier).toContain('[SIMPLE-ERROR]');
    expect(earlier).toContain('gone WRONG');
    expect(earlier).toContain('Its stack has been unwound');
    expect(await completions(client, 'debug_condition', 'session')).toEqual([session]);
    expect(await completions(client, 'debug_condition', 'evaluation')).toContain(
      String(failed.structured.id),
    );
    await call(client, 'debug', { session, action: 'abort', level: 0 });
    await expect(
      client.getPrompt({ name: 'debug_condition', arguments: { evaluation: '999999' } }),
    ).rejects.toThrow('unknown_evaluation');
  });
});
