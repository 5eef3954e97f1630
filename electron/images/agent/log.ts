/** Where defects of an image are told; they are nobody's outcome. */
export interface AgentLog {
  warn(message: string, details?: unknown): void;
}

/** Defects of one image that are told: code in it can make any number. */
const MOST_TOLD = 200;

export function limitedLog(log: AgentLog): AgentLog {
  let told = 0;
  return {
    warn: (message, details) => {
      told += 1;
      if (told <= MOST_TOLD) log.warn(message, details);
    },
  };
}
