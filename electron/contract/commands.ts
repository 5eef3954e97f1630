/** The window's table of commands, as the application menu shows it. */
import { z } from 'zod';

export const MenuCommand = z.object({
  id: z.string().max(60),
  title: z.string().max(80),
  group: z.enum(['Go', 'Session', 'Agents', 'Window']),
  /** As `Mod+Shift+K`; null where none starts it. The page listens for it, the menu only shows it. */
  shortcut: z.string().max(40).nullable(),
});
export type MenuCommand = z.infer<typeof MenuCommand>;
