/**
 * The whole way from the socket to the server of a conversation, judged by the conformance suite: the harbor's listener,
 * its checks, tokens, eras, sessions and tasks, with the fixture's server at the end. Nothing that it uses is excused.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, httpFixture } from '../integration/endpoint-fixture';
import { fixtureServer } from './fixture/server';
import { failures, RUNS, type Run, runSuite } from './suite';

/** Headers for arguments: no revision requires a tool to have any, and no tool of the harbor has. */
const UNUSED = ['http-custom-header-server-validation'];

let harbor: HttpFixture;

beforeAll(async () => {
  harbor = await httpFixture({ serverFor: fixtureServer });
});

afterAll(() => harbor.close());

describe('the transports conform', () => {
  it.each(Object.keys(RUNS) as Run[])('%s', { timeout: 120_000 }, async (run) => {
    const checks = await runSuite(run, { url: harbor.url, token: 'token-a' });
    const judged = checks.filter(({ scenario }) => !UNUSED.includes(scenario));
    expect(failures(judged)).toEqual([]);
  });
});
