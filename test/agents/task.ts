/**
 * Work of an agent on a project, as a script: the calls that a good agent makes through MCP, and the commands that a good agent types in
 * a shell for the same. Each call must say what the next one is made of, so that short answers cannot be bought with missing ones.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { call } from '../evaluation.ts';

export interface Task {
  what: string;
  engine: 'sbcl' | 'acl2' | 'clojure' | 'nbb';
  /** Writes what the agent finds. */
  prepare(project: string): void;
  /** The calls. It throws where an answer does not say what the work needs, and where the result is not green. */
  tools(agent: ToolAgent): Promise<void>;
  /** A command a line of conversation; the last one exits with 0 when the work is green. */
  shell: readonly string[];
  /** Characters that the answers may take: a quarter of what the same work took before answers were lean, of proofs a third. */
  goal: number;
}

/** What the work cost: how often the agent had to ask, what it was told and what it sent, in characters. */
export interface TaskCost {
  calls: number;
  characters: number;
  sent: number;
}

/** An agent that has only our tools. */
export class ToolAgent {
  readonly cost: TaskCost = { calls: 0, characters: 0, sent: 0 };
  readonly #client: Client;
  readonly #told: (line: string) => void;

  /** @param told hears of each call, for whoever reads along */
  constructor(client: Client, told: (line: string) => void = () => {}) {
    this.#client = client;
    this.#told = told;
  }

  /**
   * Calls a tool.
   * @param says what the text must say
   * @returns what it says of that: the groups of `says`, or all of it
   * @throws Error when it does not
   */
  async call(tool: string, args: Record<string, unknown>, says: RegExp): Promise<string[]> {
    const { text } = await call(this.#client, tool, args);
    this.cost.calls += 1;
    this.cost.characters += text.length;
    this.cost.sent += JSON.stringify(args).length;
    this.#told(`${tool} ${JSON.stringify(args)}\n${text}\n`);
    const found = says.exec(text);
    if (!found) throw new Error(`${tool} does not say ${says}:\n${text}`);
    return found.slice(1);
  }
}

/** What `task` costs through our tools. */
export async function costOfTools(
  task: Task,
  client: Client,
  told?: (line: string) => void,
): Promise<TaskCost> {
  const agent = new ToolAgent(client, told);
  await task.tools(agent);
  return agent.cost;
}

/** ASDF knows the age of files by the second: who types is slower. */
const TYPING_MS = 1_100;

/** What `task` costs in a shell, in the folder of a project that it has prepared. @throws Error when it does not end green */
export async function costOfShell(
  { what, shell }: Task,
  project: string,
  told?: (line: string) => void,
): Promise<TaskCost> {
  const cost: TaskCost = { calls: 0, characters: 0, sent: 0 };
  let last: number | null = null;
  for (const command of shell) {
    await delay(TYPING_MS);
    const options = { cwd: project, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', `${command}\n`], options);
    told?.(`$ ${command}\n${stdout}${stderr}`);
    cost.calls += 1;
    cost.characters += stdout.length + stderr.length;
    cost.sent += command.length;
    last = status;
  }
  if (last !== 0) throw new Error(`In a shell ${what} does not end green.`);
  return cost;
}
