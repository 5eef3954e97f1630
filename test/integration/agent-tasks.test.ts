/** Whole tasks of an agent, each to its green end: in no more calls than a shell needs and two, and in few words. */
import { expect, it } from 'vitest';
import { costOfTools } from '../agents/task';
import { TASKS } from '../agents/tasks';
import { sampled } from '../rounds';
import { StartedHarbor } from '../started-harbor';

it.each(sampled('agent tasks', TASKS, 4))('$what', async (task) => {
  const harbor = await StartedHarbor.start({ args: ['--engine', task.engine] });
  try {
    task.prepare(harbor.project);
    const said: string[] = [];
    const { calls, characters } = await costOfTools(task, await harbor.client(), (line) => said.push(line));
    expect(calls, said.join('\n')).toBeLessThanOrEqual(task.shell.length + 2);
    expect(characters, said.join('\n')).toBeLessThanOrEqual(task.goal);
  } finally {
    await harbor.stop();
  }
});
