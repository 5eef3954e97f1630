/** What keeps an image, with all programs that it starts, from taking the whole machine. */
import type { LaunchEnd } from './launcher';

/** What an image may have at most. */
export interface MostOfAnImage {
  /** Processes and threads. */
  tasks: number;
  memoryBytes: number;
}

/** The limits of this host, as they are found when the harbor starts. */
export interface ImageLimits {
  /** What is not limited and why, for people; null when all is. */
  gap: string | null;
  /** Whether what an image has left running is ended when its limits are released. */
  endsPrograms: boolean;
  /** Begins what takes the system a while before an image can be limited. Never throws. */
  expectImage(): void;
  /** For an image that is started now. @throws HarborError `engine_failed` when the host gives no limits any more */
  forImage(): ImageLimit;
}

/** The limits of one image, until it is released. */
export interface ImageLimit {
  /** Folders of the control groups that it is in from its beginning. */
  groups: readonly string[];
  /** In front of the sandbox's command. */
  outside: readonly string[];
  /** The environment that what stands there needs. */
  env: Readonly<Record<string, string>>;
  /** In front of the program's own command: there only the sandbox's processes count. */
  inside: readonly string[];
  /**
   * To be called once, when the image has ended. Never rejects. Answers the bytes that it might take at most, if the
   * kernel ended a process of it for taking more; otherwise, and where that is not known, null.
   */
  release(): Promise<number | null>;
}

/** A limit that only puts words in front of commands. */
export function byWords(words: Pick<ImageLimit, 'outside' | 'env' | 'inside'>): ImageLimit {
  return { ...words, groups: [], release: async () => null };
}

/** Releases the limit of an image that has ended, and tells if it was killed for reaching it. */
export async function released(end: LaunchEnd, limit: ImageLimit, wasKilled: boolean): Promise<LaunchEnd> {
  const exceeded = await limit.release();
  return wasKilled && exceeded !== null ? { ...end, exceededBytes: exceeded } : end;
}

/** What is told where nothing ends what an image has left running. */
const LEFT_RUNNING = 'programs that its code leaves running go on when the session has ended';

/** The same as gaps of a sandbox's report. */
export function leftRunningGaps({ endsPrograms }: Pick<ImageLimits, 'endsPrograms'>): string[] {
  return endsPrograms ? [] : [LEFT_RUNNING];
}

export const UNLIMITED: ImageLimits = {
  gap: null,
  endsPrograms: false,
  expectImage: () => undefined,
  forImage: () => byWords({ outside: [], env: {}, inside: [] }),
};
