/** Milliseconds for a harbor to end in: five seconds are promised, and what has not ended by then is left to the system. */
export const STOP_LIMIT_MS = 4_500;
