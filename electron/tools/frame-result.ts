/** A frame of the held stack as `debug` answers it: values with parts have handles for `inspect`. */
import { z } from 'zod';
import { FrameContents, Local } from '../contract/debugger';
import { objectHandle } from '../sessions/object-handle';

export const FrameResult = FrameContents.extend({
  locals: z.array(Local.omit({ object: true }).extend({ handle: z.string().optional() })),
});
export type FrameResult = z.infer<typeof FrameResult>;

export function frameResult(frame: FrameContents, generation: number): FrameResult {
  const locals = frame.locals.map(({ object, ...local }) =>
    object === undefined ? local : { ...local, handle: objectHandle(object, generation) },
  );
  return { ...frame, locals };
}
