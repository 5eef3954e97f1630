/** Calls of the window with which a person finds out what is wrong. */
import { z } from 'zod';
import { OfferedTool, TriedCall } from '../diagnostics';
import { type CallTable, nothing } from './parameters';

export const diagnosticsCalls = {
  /** The tools that a client of the usual profile is offered. Of both: @throws HarborError `internal` where the harbor does not answer */
  'diagnostics:tools': { args: nothing, result: z.array(OfferedTool) },
  /** Calls one as a client does that no rule is about; `arguments` is JSON. @throws HarborError `bad_arguments` where that is no object */
  'diagnostics:call': {
    args: z.object({ tool: z.string().min(1).max(200), arguments: z.string().max(1_000_000) }),
    result: TriedCall,
  },
  /** Ends the conversation in which tools were tried, with the session that it had. */
  'diagnostics:end': { args: nothing, result: nothing },
  /** Versions, engines, sandbox, ports and the newest lines of the log as a text, without what looks like a secret. */
  'diagnostics:report': { args: nothing, result: z.string() },
} satisfies CallTable;
