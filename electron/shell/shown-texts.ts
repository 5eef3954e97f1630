/**
 * What the window is shown, and what it then means: characters that nobody sees stand there by their number, and the page
 * hands names and paths back as it was shown them.
 */
import type { CallName, EventName } from '../contract/channels';
import { visibleText, withTexts } from '../contract/visible-text';

/** What a terminal draws: it gives each character a cell of its own, turns none, and takes out what would move it. */
const OF_TERMINAL: ReadonlySet<CallName | EventName> = new Set(['listener:open', 'listener:output'] as const);

/** Every mark has this in it. */
const MARK = '⟨U+';

/** Characters of the longest path. */
const LONGEST = 4096;

/** Texts that are remembered: more than a page shows at a time. */
const MOST = 1_000;

export class ShownTexts {
  /** By what was shown; null for what stands for two texts. The newest last. */
  readonly #meant = new Map<string, string | null>();

  /** Everything that the window shows comes through here, by an answer or an event. */
  forWindow<T>(channel: CallName | EventName, value: T): T {
    return OF_TERMINAL.has(channel) ? value : this.shown(value);
  }

  /** Outside of terminals. */
  shown<T>(value: T): T {
    return withTexts(value, (text) => this.#visible(text));
  }

  /** What the window hands back, as it is. */
  meant(value: unknown): unknown {
    return withTexts(value, (text) => this.#meant.get(text) ?? text);
  }

  #visible(text: string): string {
    const shown = visibleText(text);
    if (text.length <= LONGEST && shown.includes(MARK)) this.#remember(shown, text);
    return shown;
  }

  #remember(shown: string, text: string): void {
    const known = this.#meant.get(shown);
    this.#meant.delete(shown);
    this.#meant.set(shown, known === undefined || known === text ? text : null);
    const [oldest] = this.#meant.keys();
    if (this.#meant.size > MOST && oldest !== undefined) this.#meant.delete(oldest);
  }
}
