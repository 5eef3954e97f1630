/** A report for who helps has what runs where, and nothing that looks like a secret. */
import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { reportText } from '../../electron/shell/harbor-calls';

it('leaves out tokens, what the person wants in no history, and the name of the home folder', () => {
  const status = {
    version: '0.1.0',
    dataFolder: '/x',
    project: '/x',
    defaultEngine: null,
    engines: [{ engine: 'sbcl' as const, available: true, version: '2.5.0', path: '/usr/bin/sbcl' }],
    sandbox: { confined: false, launcher: 'local' as const, reason: 'there is no bubblewrap' },
    endpoint: { url: 'http://127.0.0.1:4617/mcp', httpsUrl: null, problem: null },
    ports: {} as never,
    applications: [],
    settingsProblems: [],
    notices: [],
  };
  const said = `read ${homedir()}/notes with lh_abcdef and ghp_123 for Ocean Drive`;
  const report = reportText({
    status,
    sessions: [{ engine: 'sbcl', state: 'idle' }],
    lines: [{ at: 0, level: 'warn', text: said }],
    patterns: ['ocean drive'],
  });
  expect(report).toContain('- sbcl: 2.5.0');
  expect(report).toContain('Sandbox: none (there is no bubblewrap)');
  expect(report).toContain(
    '1970-01-01T00:00:00.000Z warn read ~/notes with ⟨redacted⟩ and ⟨redacted⟩ for ⟨redacted⟩',
  );
});
