/**
 * What is kept of a session beside its row, so that a later harbor brings it back: what its images are made of, and what
 * the window shows of it until then.
 */
import { z } from 'zod';
import { Limits } from '../../contract/memory';
import { SessionView } from '../../contract/model';
import { Container, ServerAddress } from '../../contract/server';
import type { OpenRequest } from '../open-request';
import { Lineage } from './lineage';

/** What was asked for when it was opened, and holds for all its images. */
const Asked = z.object({
  server: ServerAddress.exactOptional(),
  serverAllowed: z.boolean().exactOptional(),
  network: z.boolean().exactOptional(),
  container: Container.exactOptional(),
  /** The package that its images begin in. */
  package: z.string().exactOptional(),
  /** The conversation whose default session it is. */
  conversation: z.string().exactOptional(),
});
export type Asked = z.infer<typeof Asked>;

/** What changes while it is there. */
const Standing = z.object({
  /** Where the state of a new image comes from, oldest first. */
  lineages: z.array(Lineage).min(1).readonly(),
  /** Systems that count as loaded. */
  systems: z.array(z.string()).readonly(),
  /** Whether unhandled errors are held. */
  holds: z.boolean(),
  generation: z.int(),
  /** What a person calls it and has noted of it; absent: what it was opened as. */
  called: z.object({ name: z.string(), note: z.string() }).exactOptional(),
  /** The package or namespace that it is in. */
  package: z.string(),
  /** Trust tags that a person has let books of the system use in it. */
  trustTags: z.array(z.string()).readonly().exactOptional(),
  /** Definitions that were written to files, as `SavedDefinitions` tells them. */
  saved: z.array(z.string()).readonly().exactOptional(),
});
export type Standing = z.infer<typeof Standing>;

/** What its images can do beside evaluating, and how they were confined. */
const Shown = SessionView.pick({
  sandbox: true,
  hold: true,
  checkpoints: true,
  comesBack: true,
  slime: true,
  world: true,
  rawLisp: true,
  trustTags: true,
  // Versions before it kept sessions without a word of taps.
}).extend({ taps: z.boolean().default(false) });

export const KeptSession = z.object({ limits: Limits, asked: Asked, standing: Standing, shown: Shown });
export type KeptSession = z.infer<typeof KeptSession>;

/** What of a request for a session is kept. */
export function askedFor(request: OpenRequest): Asked {
  return Asked.parse(request);
}

/** @param view of the session while it has an image */
export function keptSession(view: SessionView, asked: Asked, standing: Standing): KeptSession {
  return { limits: view.limits, asked, standing, shown: Shown.parse(view) };
}

/** null for what cannot be read. */
export function readKept(text: string): KeptSession | null {
  try {
    return KeptSession.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
