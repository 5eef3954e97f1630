/** Adapters: one of our tools under another system's name, with that system's arguments and texts. */

import type { z } from 'zod';
import type { EngineName } from '../contract/model';
import type { Note } from '../contract/note';
import { checkedArguments } from '../tools/arguments';
import type { Caller, Tool, ToolResult } from '../tools/tool';

export interface ToolAdapter<A extends z.ZodObject, T extends z.ZodObject, R extends z.ZodType> {
  name: string;
  description: string;
  /** Named as in that system's documentation. */
  args: A;
  /** Engine of the default session for calls that name none; absent: that of the connection. */
  engine?: EngineName;
  /** Converts the arguments to those of our tool. */
  toArguments(given: z.output<A>, caller: Caller): z.input<T> | Promise<z.input<T>>;
  /**
   * Renders the result as that system prints it; absent: as our tool does.
   * @param ours the text of our tool; notes are asides
   */
  render?(result: z.input<R>, given: z.output<A>, ours: string): string;
  /** Returns notes about arguments that have no effect here, unlike in that system. */
  notes?(given: z.output<A>): readonly Note[];
  /** Members of its results in addition to their content. */
  extraMembers?(result: z.input<R>, caller: Caller): Record<string, string>;
  /** Reports whether that system would call the result a failure although our tool does not. */
  fails?(result: z.input<R>): boolean;
}

/** Notes of our results, for which other systems' texts have no place. */
interface Noted {
  notes: readonly Note[];
}

/**
 * Makes adapters of one tool: `const evaluation = adaptersOf(evalTool(options))`, then `evaluation({ name:
 * 'lisp_eval', … })`.
 */
export function adaptersOf<T extends z.ZodObject, R extends z.ZodType<unknown, Noted>>(tool: Tool<T, R>) {
  return <A extends z.ZodObject>(adapter: ToolAdapter<A, T, R>): Tool<A, R> => {
    const { name, description, args, engine, toArguments, render, notes, extraMembers, fails } = adapter;
    const { preview, sources, ...rest } = tool;
    const callerOf = (client: Caller) => (engine === undefined ? client : callerForEngine(engine, client));
    const ours = async (given: z.output<A>, caller: Caller) =>
      checkedArguments(tool, await toArguments(given, caller));
    return {
      ...rest,
      of: tool.of ?? tool.name,
      name,
      description,
      args,
      ...(preview && {
        preview: async (given, client) => preview(await ours(given, callerOf(client)), callerOf(client)),
      }),
      ...(sources && {
        sources: async (given, client) => sources(await ours(given, callerOf(client)), callerOf(client)),
      }),
      async run(given, client) {
        const caller = callerOf(client);
        const result = await tool.run(await ours(given, caller), caller);
        const adapted: typeof result = {
          ...result,
          isError: result.isError || fails?.(result.structured) === true,
          ...(extraMembers ? { extraMembers: extraMembers(result.structured, caller) } : {}),
        };
        const rendered = render ? inWords(adapted, render(result.structured, given, result.text)) : adapted;
        const more = notes?.(given) ?? [];
        return more.length === 0 ? rendered : { ...rendered, asides: [...(rendered.asides ?? []), ...more] };
      },
    };
  };
}

/** Returns the caller with `engine` as the engine of calls without a session. */
export function callerForEngine(engine: EngineName, caller: Caller): Caller {
  return { ...caller, engine, defaultSession: () => caller.defaultSession(engine) };
}

function inWords<R extends Noted>(
  { statesSandbox: _ours, ...result }: ToolResult<R>,
  text: string,
): ToolResult<R> {
  return { ...result, text, notes: [], asides: result.structured.notes };
}
