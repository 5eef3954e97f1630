/** What to do where ACL2 refused a name that its world has already, or knows no package of that name. */
import type { Evaluation } from '../../contract/model';

type Failed = Pick<Evaluation, 'kind' | 'report'>;

const NAME_IN_USE = /The\s+name\s+(\S+)\s+is\s+in\s+use\s+as\s+an?\s/;

/** Where it is from; of ACL2's own, and of a book that is certified, nothing is known to do. */
const EARLIER = /was\s+previously\s+defined\s+(?:at\s+the\s+top\s+level\.|(in\s+the\s+(?:last|following)))/;

const NO_PACKAGE =
  /known\s+package\s+name,\s+but\s+"([^"]+)"|[Nn]o\s+package\s+with\s+the\s+name\s+"([^"]+)"|[Pp]ackage\s+"?([^\s"]+?)"?\s+does\s+not\s+exist|ACL2\s+knows\s+no\s+package\s+(\S+?)\.(?:\s|$)/;

/** @param said what ACL2 says of the failure */
export function acl2Steps(failed: Failed, said: string): string[] {
  return [...nameSteps(failed, said), ...packageSteps(said)];
}

function nameSteps({ kind, report }: Failed, said: string): string[] {
  const [, name] = NAME_IN_USE.exec(said) ?? [];
  const earlier = EARLIER.exec(said);
  if (name === undefined || earlier === null || kind === 'test') return [];
  const brought = report?.proof?.events ?? [];
  const fromBook = earlier[1] !== undefined;
  // What this very evaluation brought would stand in its way in a fresh world as well.
  const own = fromBook
    ? brought.some(({ operator }) => operator === 'INCLUDE-BOOK')
    : brought.some(({ events }) =>
        events.some(({ names }) => names.some((each) => bare(each) === bare(name))),
      );
  if (own) return [];
  const fresh = kind === 'load' ? ' `load` with fresh: true loads into a new one, or' : '';
  return [
    `This world has ${name} from before:${fresh} :ubt ${name} takes back ${name} and all that came after it.`,
  ];
}

function packageSteps(said: string): string[] {
  const name = NO_PACKAGE.exec(said)
    ?.slice(1)
    .find((each) => each !== undefined);
  if (name === undefined) return [];
  return [
    `Package ${name} is defined by a DEFPKG, which stands in no book: load the file that has it (\`find\` with kind text), or include a book that was certified with it. For a book shop.lisp it stands in shop.acl2 or cert.acl2 beside it, which \`run_tests\` reads first.`,
  ];
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
