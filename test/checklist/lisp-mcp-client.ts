/** Calls of lisp-mcp-server's tools, whose answers are that system's texts. */
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { call } from '../evaluation';

type Arguments = Record<string, unknown>;

/** @param client asked at each call, so that tests may open it later */
export function lispMcpClient(client: () => Client) {
  /** The first text of an answer, which is that system's. */
  async function told(name: string, args: Arguments = {}): Promise<string> {
    const { first, isError } = await call(client(), name, args);
    expect([isError, first]).toEqual([false, first]);
    return first;
  }

  async function refused(name: string, args: Arguments = {}): Promise<string> {
    const { text, isError } = await call(client(), name, args);
    expect([isError, text]).toEqual([true, text]);
    return text;
  }

  return {
    told,
    refused,
    evaluated: (code: string, more: object = {}) => told('repl-eval', { code, ...more }),
  };
}
