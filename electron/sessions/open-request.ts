/**
 * The request to open a session, its limits, and the part of a session that is saved for the next start of
 * the harbor.
 */

import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { type EngineName, Limits, SessionView } from '../contract/model';

import { Container, ServerAddress } from '../contract/server';
import type { Engine, EvaluateRequest, LimitName } from '../images/image';
import { Lineage } from './recovery/lineage';

export interface OpenRequest {
  client: string;
  project: string;
  engine?: EngineName;
  /** Attaches to this server instead of starting an image; its kind is the engine. */
  server?: ServerAddress;
  /**
   * The user allowed this server for this session, or lets the client choose among servers of this computer.
   */
  serverAllowed?: boolean;
  /** The user allowed network connections for its images, whatever the project allows. */
  network?: boolean;
  /** The container to start the image in. */
  container?: Container;
  /** The host that runs the images; absent: this computer. */
  host?: string;
  name?: string;
  /** The initial package, created if it does not exist; absent: the engine's default. */
  package?: string;
  /** Aliases or profiles of the project's build file that its images have. */
  aliases?: readonly string[];
  limits?: RequestedLimits;
  /** Receives progress messages while an image starts. */
  onProgress?: (doing: string) => void;
  /** The conversation whose default session this is, across restarts of the harbor; absent: none. */
  conversation?: string;
  /** The session ends with the harbor, because no client can return to it. */
  endsWithHarbor?: boolean;
  /** The initial state; absent: an empty image. */
  from?: Origin;
}

/** The state that a new session begins with. */
export interface Origin {
  /** @param session the id of the new session */
  lineage: (session: string) => Lineage;
  /** The current package. */
  package: string;
}

/** Limits that a caller requests; others have the user's defaults. */
export type RequestedLimits = { [L in LimitName]?: NonNullable<Limits[L]> };

/** Returns the request for exactly these limits. */
export function requestedLimits({ heapMiB, cpuSeconds, outputChars }: Limits): RequestedLimits {
  return {
    ...(heapMiB === null ? {} : { heapMiB }),
    ...(cpuSeconds === null ? {} : { cpuSeconds }),
    ...(outputChars === null ? {} : { outputChars }),
  };
}

const NAMES: Readonly<Record<LimitName, string>> = {
  heapMiB: 'its heap',
  cpuSeconds: 'processor time',
  outputChars: 'output',
};

/**
 * Resolves the limits of a session: the requested ones, else the user's, as far as the engine supports them.
 * @throws HarborError `not_supported` for a limit that the engine does not support
 */
export function resolveLimits(
  engine: Pick<Engine, 'name' | 'limits'>,
  asked: RequestedLimits,
  usual: Limits,
): Limits {
  const supported = new Set(engine.limits);
  const missing = namesOf(asked).filter((name) => !supported.has(name));
  if (missing.length > 0) throw unsupportedLimits(engine.name, missing, supported);
  const limit = <L extends LimitName>(name: L) => (supported.has(name) ? (asked[name] ?? usual[name]) : null);
  return { heapMiB: limit('heapMiB'), cpuSeconds: limit('cpuSeconds'), outputChars: limit('outputChars') };
}

/** Returns the limits that each evaluation of the session is sent with. */
export function evaluationLimits({
  cpuSeconds,
  outputChars,
}: Limits): Pick<EvaluateRequest, 'cpuSeconds' | 'outputChars'> {
  return {
    ...(cpuSeconds === null ? {} : { cpuSeconds }),
    ...(outputChars === null ? {} : { outputChars }),
  };
}

function namesOf(asked: RequestedLimits): LimitName[] {
  const names = Object.keys(NAMES) as LimitName[];
  return names.filter((name) => asked[name] !== undefined);
}

function unsupportedLimits(
  engine: string,
  missing: LimitName[],
  supported: ReadonlySet<LimitName>,
): HarborError {
  const words = (names: Iterable<LimitName>) => [...names].map((name) => NAMES[name]).join(', ');
  const others = supported.size > 0 ? `It can limit ${words(supported)}.` : 'Open it without limits.';
  return new HarborError('not_supported', `A session of ${engine} cannot limit ${words(missing)}. ${others}`);
}

// The saved form of a session: what its images are made of, and what the window shows until it wakes.

/** Options of the request that apply to all images of the session. */
const SavedRequest = z.object({
  server: ServerAddress.exactOptional(),
  serverAllowed: z.boolean().exactOptional(),
  network: z.boolean().exactOptional(),
  container: Container.exactOptional(),
  host: z.string().exactOptional(),
  /** The initial package of its images. */
  package: z.string().exactOptional(),
  aliases: z.array(z.string()).readonly().exactOptional(),
  /** The conversation whose default session it is. */
  conversation: z.string().exactOptional(),
});
export type SavedRequest = z.infer<typeof SavedRequest>;

/** The state that changes during the life of the session. */
const PersistentState = z.object({
  /** Where the state of a new image comes from, oldest first. */
  lineages: z.array(Lineage).min(1).readonly(),
  /** Loaded systems. */
  systems: z.array(z.string()).readonly(),
  /** Whether an unhandled error suspends the evaluation. */
  holds: z.boolean(),
  generation: z.int(),
  /** The name and note that the user gave it; absent: the original name. */
  called: z.object({ name: z.string(), note: z.string() }).exactOptional(),
  /** The current package or namespace. */
  package: z.string(),
  /** Trust tags that the user allowed books of the system to use. */
  trustTags: z.array(z.string()).readonly().exactOptional(),
  /** Definitions that were saved to files, as `SavedDefinitions.all` returns them. */
  saved: z.array(z.string()).readonly().exactOptional(),
});
export type PersistentState = z.infer<typeof PersistentState>;

/** The abilities of its images and their confinement. */
const SavedView = SessionView.pick({
  sandbox: true,
  hold: true,
  checkpoints: true,
  comesBack: true,
  slime: true,
  world: true,
  rawLisp: true,
  trustTags: true,
  // Earlier versions saved sessions without `taps`.
}).extend({ taps: z.boolean().default(false) });

export const SavedSession = z.object({
  limits: Limits,
  asked: SavedRequest,
  standing: PersistentState,
  shown: SavedView,
});
export type SavedSession = z.infer<typeof SavedSession>;

/** Returns the part of a request that is saved. */
export function savedRequest(request: OpenRequest): SavedRequest {
  return SavedRequest.parse(request);
}

/** @param view the view of the session while it has an image */
export function toSavedSession(
  view: SessionView,
  asked: SavedRequest,
  standing: PersistentState,
): SavedSession {
  return { limits: view.limits, asked, standing, shown: SavedView.parse(view) };
}

/** Parses a saved session; null if it is invalid. */
export function parseSavedSession(text: string): SavedSession | null {
  try {
    return SavedSession.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
