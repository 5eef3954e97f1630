/** Containers in which a Lisply backend is started: their image, what they may see of this computer, which services they open. */
import { z } from 'zod';

/** A folder of this computer, and where the container finds it. */
export const Mount = z.object({
  from: z
    .string()
    .startsWith('/')
    .regex(/^[^:]+$/),
  to: z
    .string()
    .startsWith('/')
    .regex(/^[^:]+$/),
  /** Whether code in the container may change it. */
  write: z.boolean().default(false),
});
export type Mount = z.output<typeof Mount>;

/** What a backend offers beside HTTP, over which it is spoken with (Lisply Backend Requirements). */
export const ContainerService = z.enum(['https', 'swank', 'telnet']);
export type ContainerService = z.infer<typeof ContainerService>;

export const Container = z.object({
  /** As `docker run` takes it, such as genworks/gendl:latest. */
  image: z
    .string()
    .max(300)
    .regex(/^[a-z0-9][\w.:/@-]*$/i, 'No name of a container image.'),
  mounts: z.array(Mount).default([]),
  services: z.array(ContainerService).default([]),
  /** Where the paths of the backend begin, without slashes around it; absent: lisply. */
  prefix: z
    .string()
    .regex(/^[\w.~-]+(?:\/[\w.~-]+)*$/)
    .optional(),
});
export type Container = z.output<typeof Container>;
