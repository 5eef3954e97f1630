/** The ways to go on from a level: a button each, by its number too; one that takes arguments asks for them. */
import type { StepWay } from '../../electron/contract/debugger';
import type { EngineName, Restart } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { useWords } from '../services';
import styles from './debugger.module.css';
import { FormFields } from './form-fields';

interface RestartsProps {
  restarts: readonly Restart[];
  engine: EngineName;
  isDisabled: boolean;
  /** The restart whose arguments are asked for. */
  asking: number | null;
  onAsk: (restart: number | null) => void;
  onRestart: (restart: number) => void;
  /** Answers what is wrong with the forms, or null. */
  onRestartWith: (forms: readonly string[], restart: number) => Promise<string | null>;
  onStep: (way: StepWay) => void;
}

/** Restarts that a stepped form offers. */
const STEPS: readonly (readonly [name: string, way: StepWay])[] = [
  ['STEP-INTO', 'into'],
  ['STEP-NEXT', 'over'],
  ['STEP-OUT', 'out'],
];

export function Restarts({
  restarts,
  isDisabled,
  asking,
  onAsk,
  onRestart,
  onRestartWith,
  onStep,
}: RestartsProps) {
  const words = useWords();
  const steps = STEPS.filter(([step]) => restarts.some(({ name }) => bare(name) === step));
  const others = restarts.filter(({ name }) => !steps.some(([step]) => bare(name) === step));
  return (
    <section aria-label={words.evaluations.restarts} className={styles.restarts}>
      {steps.length > 0 && (
        <p className={styles.buttons}>
          {steps.map(([name, way]) => (
            <Button key={name} isDisabled={isDisabled} onPress={() => onStep(way)}>
              {words.debug.steps[way]}
            </Button>
          ))}
        </p>
      )}
      <ol>
        {others.map(({ index, name, description, arguments: names }) => (
          <li key={index}>
            <button
              type="button"
              className={styles.restart}
              disabled={isDisabled}
              aria-keyshortcuts={index < 10 ? String(index) : undefined}
              aria-expanded={names.length > 0 ? asking === index : undefined}
              onClick={() => (names.length > 0 ? onAsk(asking === index ? null : index) : onRestart(index))}
            >
              <kbd aria-hidden>{index}</kbd>
              <span className={styles.name}>{names.length > 0 ? `${bare(name)}…` : bare(name)}</span>
              <span className={styles.description} lang="en">
                {description}
              </span>
            </button>
            {asking === index && (
              <FormFields
                label={words.debug.argumentsOf(bare(name))}
                names={names}
                verb={bare(name)}
                onSubmit={(forms) => onRestartWith(forms, index)}
                onClose={() => onAsk(null)}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Without its package, which says nothing to who chooses. */
function bare(name: string): string {
  return name.replace(/^.*:/, '');
}
