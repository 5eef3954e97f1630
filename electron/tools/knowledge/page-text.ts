/** The text of a page of HTML as the HyperSpec has them: tags and entities away, nothing empty. */

/** Characters of a page, and of what stands before a description that has no heading. */
const MOST_CHARACTERS = 8000;
const MOST_BRIEF = 1500;

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }),
);

/** Takes as long as the page is long, however its tags are broken.
 * @param brief whether to end before the heading `Description:` */
export function pageText(html: string, brief: boolean): string {
  const lines = html
    .replace(/<[^<>]*>/g, '')
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES.get(name) ?? whole)
    .split('\n')
    .map((line) => line.replace(/[ \t\r\xa0]+/g, ' ').trim())
    .filter((line) => line !== '');
  const heading = brief ? lines.findIndex((line) => /^description:/i.test(line)) : -1;
  if (heading >= 0) return lines.slice(0, heading).join('\n').slice(0, MOST_CHARACTERS);
  return lines.join('\n').slice(0, brief ? MOST_BRIEF : MOST_CHARACTERS);
}
