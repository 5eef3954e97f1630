/** `npm run bench -- --words`: what answers cost an agent, in characters, and whole tasks beside a shell. */
import { rmSync } from 'node:fs';
import { CL_MCP } from '../agents/cl-mcp-costs.ts';
import { costOfShell, costOfTools, type Task } from '../agents/task.ts';
import { TASKS } from '../agents/tasks.ts';
import { wordsOf } from '../agents/words.ts';
import { StartedHarbor, temporaryFolder } from '../started-harbor.ts';

/** The text of single answers beside their goals. */
export async function reportWords(): Promise<void> {
  const harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  try {
    const costs = await wordsOf(await harbor.client(), harbor.project);
    printTable(
      ['characters of text', 'answer', 'goal'],
      costs.map(({ what, text, goal }) => [what, text.length, goal]),
    );
  } finally {
    await harbor.stop();
  }
}

/** Whole tasks: calls, and characters of the answers; those of cl-mcp as they were measured once. */
export async function reportTasks(): Promise<void> {
  const rows: Row[] = [];
  for (const task of TASKS) {
    const ours = await oursOf(task);
    const shell = await shellOf(task);
    const { calls = '–', characters = '–' } = CL_MCP.get(task.what) ?? {};
    rows.push([
      ...[task.what, ours.calls, shell.calls, calls],
      ...[ours.characters, shell.characters, characters, task.goal],
    ]);
  }
  printTable(['task', 'calls', 'shell', 'cl-mcp', 'characters', 'shell', 'cl-mcp', 'goal'], rows);
}

async function oursOf(task: Task) {
  const harbor = await StartedHarbor.start({ args: ['--engine', task.engine] });
  try {
    task.prepare(harbor.project);
    return await costOfTools(task, await harbor.client());
  } finally {
    await harbor.stop();
  }
}

async function shellOf(task: Task) {
  const project = temporaryFolder('project');
  try {
    task.prepare(project);
    return await costOfShell(task, project);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

type Row = readonly (string | number)[];

function printTable(head: readonly string[], rows: readonly Row[]): void {
  const lines = [head, ...rows].map(([what, ...figures]) => [
    String(what).padEnd(44),
    ...figures.map((figure) => String(figure).padStart(12)),
  ]);
  process.stdout.write(`${lines.map((line) => line.join('')).join('\n')}\n\n`);
}
