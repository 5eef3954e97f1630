/** The tools of cl-mcp-server that look back at what failed last in the session. */
import { z } from 'zod';
import type { Condition } from '../../contract/model';
import { lastFailedIn } from '../evaluation/last-failed';
import { type EvaluationRecord, EvaluationRecord as RecordSchema } from '../evaluation/record';
import { restartText } from '../evaluation/record-text';
import { type Caller, noted, type Tool, type ToolResult } from '../tool';
import type { SeenHistory } from '../viewer';
import { errorText } from './cl-mcp-server-text';

const LastError = z.object({ evaluation: RecordSchema.optional(), notes: z.array(z.string()) });
type LastError = z.infer<typeof LastError>;

const NONE = 'No error recorded in this session. Run some code that causes an error first.';

const Frames = z.strictObject({ 'max-frames': z.int().min(1).max(1000).optional() });

export function lastErrorTools(options: SeenHistory): Tool[] {
  const kind = {
    scope: 'read',
    result: LastError,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  } as const;
  const described: Tool = {
    ...kind,
    name: 'describe-last-error',
    title: 'Describe the last error',
    description: 'The condition that failed last in this session: type, message, restarts, backtrace.',
    args: z.strictObject({}),
    run: async (_, caller) =>
      told(await lastFailed(options, caller), (condition, { engine }) =>
        [errorText(condition, engine), '[Restarts]', ...condition.restarts.map(restartText)].join('\n'),
      ),
  };
  const backtrace: Tool<typeof Frames, typeof LastError> = {
    ...kind,
    name: 'get-backtrace',
    title: 'Backtrace of the last error',
    description: 'The stack at the condition that failed last in this session.',
    args: Frames,
    run: async ({ 'max-frames': most = 20 }, caller) =>
      told(await lastFailed(options, caller), ({ frames }) =>
        frames
          .slice(0, most)
          .map(({ index, call }) => `${index}: ${call}`)
          .join('\n'),
      ),
  };
  return [described, backtrace];
}

async function lastFailed({ history }: SeenHistory, caller: Caller): Promise<EvaluationRecord | null> {
  const { session } = await caller.defaultSession();
  return lastFailedIn(session.id, history);
}

function told(
  record: EvaluationRecord | null,
  text: (condition: Condition, record: EvaluationRecord) => string,
): ToolResult<LastError> {
  if (!record?.condition) return { structured: { notes: [] }, text: NONE, isError: false };
  return {
    structured: { evaluation: record, notes: record.notes },
    text: text(record.condition, record),
    asides: record.notes.map(noted),
    isError: false,
  };
}
