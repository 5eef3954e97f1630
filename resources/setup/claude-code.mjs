/**
 * Claude Code's command line, for the test that connects it as people do. Its licence lets it be used and not passed on, so
 * it is no dependency: only `npm test` fetches it, the last line that is one JavaScript file for every platform.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fetchPinned, pinnedFolder } from './pinned-package.mjs';

const claudeCode = {
  name: '@anthropic-ai/claude-code',
  version: '1.0.100',
  integrity:
    'sha512-b4FRo3t46kPawzE8pT7nxtDc9NdYPTFaPoGGns/ZNqsqRu2jKMiSjjt5DiFvfaBZA8Tnt2qXbv4nd1vqR9Ru8Q==',
  size: '24 MB',
};

/**
 * The program's file, which Node runs.
 * @param {string} root
 */
export const claudeCodeFile = (root) => path.join(pinnedFolder(root, claudeCode), 'cli.js');

/** @param {string} root */
export async function ensureClaudeCode(root) {
  if (!existsSync(claudeCodeFile(root))) await fetchPinned(root, claudeCode);
}
