/** Projects for scripted agents: a harbor over one whose tests are red, with a library beside it, and short calls. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import type { AllowAccess } from '../electron/contract/sandbox';
import type { EvaluationRecord } from '../electron/tools/evaluation/record';
import { type CallResult, call } from './evaluation';
import { type Files, writeFiles } from './integration/loading-fixture';
import { StartedHarbor, temporaryFolder } from './started-harbor';

/** What an agent's first run compiles: libraries too. */
export const COMPILING_MS = 120_000;

export interface ProjectStart {
  engine: string;
  files: Files;
  /** Of a folder beside the project that a person has allowed. */
  library?: { files: Files; power: AllowAccess };
  /** Milliseconds after which a call answers with a job; longer than any test waits unless given. */
  softLimitMs?: number;
}

/** A harbor, its project, and a library that the allow-list of its settings names. */
export class AgentProject {
  readonly harbor: StartedHarbor;
  readonly library: string;
  readonly #folders: readonly string[];

  static async start({
    engine,
    files,
    library,
    softLimitMs = COMPILING_MS,
  }: ProjectStart): Promise<AgentProject> {
    const [project, data, beside] = ['project', 'data', 'a library'].map(temporaryFolder) as [
      string,
      string,
      string,
    ];
    writeFiles(project, files);
    writeFiles(beside, library?.files ?? {});
    const allowList = library ? [{ folder: beside, power: library.power, reason: 'ours' }] : [];
    mkdirSync(data, { recursive: true });
    writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ allowList, softLimitMs }));
    const harbor = await StartedHarbor.start({ project, data, args: ['--engine', engine] });
    return new AgentProject(harbor, beside, [project, data, beside]);
  }

  private constructor(harbor: StartedHarbor, library: string, folders: readonly string[]) {
    this.harbor = harbor;
    this.library = library;
    this.#folders = folders;
  }

  read(file: string): string {
    return readFileSync(path.join(this.harbor.project, file), 'utf8');
  }

  /** The project's own file, as an absolute path. */
  file(name: string): string {
    return path.join(this.harbor.project, name);
  }

  async stop(): Promise<void> {
    await this.harbor.stop();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** The calls of one agent: what must go well, what must be refused, and what evaluates. */
export function agentOf(client: Client) {
  /** The result, once it is no error. */
  async function done<R = Record<string, unknown>>(
    tool: string,
    args: Record<string, unknown> = {},
  ): Promise<CallResult<R>> {
    const result = await call<R>(client, tool, args);
    expect([tool, result.isError, result.text]).toEqual([tool, false, result.text]);
    return result;
  }

  /** The text of the refusal. */
  async function refused(tool: string, args: Record<string, unknown>): Promise<string> {
    const { isError, text } = await call(client, tool, args);
    expect([tool, isError, text]).toEqual([tool, true, text]);
    return text;
  }

  /** The record of an evaluation, whatever came of it. */
  const record = async (tool: string, args: Record<string, unknown>): Promise<EvaluationRecord> =>
    (await call<EvaluationRecord>(client, tool, args)).structured;

  return { done, refused, record };
}

export type Agent = ReturnType<typeof agentOf>;
