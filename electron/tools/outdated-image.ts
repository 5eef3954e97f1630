/** What an answer says of an image that a new one would not be like, because of what the project is by now. */
import type { Session } from '../sessions/session/session';

export function outdatedNotes({ outdatedBy }: Pick<Session, 'outdatedBy'>): string[] {
  return outdatedBy === null
    ? []
    : [
        `${outdatedBy} since this image was started. \`load\` without arguments starts another, which goes by that.`,
      ];
}
