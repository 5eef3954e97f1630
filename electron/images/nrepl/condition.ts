/** The condition of a failed evaluation: the exception as resources/clojure/conditions.clj prints it, or what the server says. */
import { z } from 'zod';
import type { Condition } from '../../contract/model';
import { parseWellFormed } from '../../host/well-formed';

const Cause = z.object({ type: z.string(), message: z.string().nullable(), data: z.string().optional() });

const Printed = z.object({
  causes: z.array(Cause).min(1),
  frames: z.array(z.object({ call: z.string(), function: z.string() })),
});

/** Code of Clojure, of Java and of nREPL: it stands below and above a project's own. */
const OTHERS = /^(?:clojure\.|java\.|javax\.|jdk\.|sun\.|nrepl\.|lisp-harbor\.)/;

/** Frames of a condition, as many as other engines report. */
const MOST_FRAMES = 20;

/** `printed` is null where the server could not be asked; then there is what it says by itself: the class of the
 * exception, if that is what `failure` is, and its message. There are no restarts. */
export function conditionFrom(printed: string | null, failure: string, said: string): Condition {
  const { causes, frames } = parse(printed) ?? { causes: [], frames: [] };
  const [first, ...rest] = causes;
  // Clojure wraps what its compiler meets; what the code threw is the last cause.
  const root = rest.at(-1) ?? first;
  const own = frames.filter(({ function: name }) => !OTHERS.test(name));
  const others = frames.filter(({ function: name }) => OTHERS.test(name));
  const calls = distinct([...own, ...others]);
  const more = calls.length - MOST_FRAMES;
  return {
    type: root?.type ?? /^(?:class )?([\w.$]+)$/.exec(failure)?.[1] ?? 'Error',
    message: [root ? causeText(root) : said || failure, ...wrappers(causes)].join('\n'),
    level: 1,
    restarts: [],
    frames: calls.slice(0, MOST_FRAMES).map((call, index) => ({ index, call })),
    ...(more > 0 ? { omitted: { frames: more } } : {}),
  };
}

/** One call of a function is several of the JVM. */
function distinct(frames: readonly { call: string }[]): string[] {
  return frames.map(({ call }) => call).filter((call, index, calls) => call !== calls[index - 1]);
}

function wrappers(causes: readonly z.infer<typeof Cause>[]): string[] {
  return causes.slice(0, -1).map((cause) => `  thrown as ${cause.type}: ${causeText(cause)}`);
}

function causeText({ message, data }: z.infer<typeof Cause>): string {
  return [message ?? '', data ?? ''].filter((text) => text !== '').join(' ');
}

function parse(printed: string | null): z.infer<typeof Printed> | null {
  try {
    return Printed.safeParse(parseWellFormed(printed ?? '')).data ?? null;
  } catch {
    return null;
  }
}
