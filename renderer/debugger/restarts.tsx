/**
 * The restarts of a level, one button each, also chosen by their number. A restart with arguments opens a
 * form.
 */

import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { StepMode } from '../../electron/contract/debugger';
import type { EngineName, Restart } from '../../electron/contract/model';
import { Button, IconButton } from '../parts/button';
import fields from '../parts/field.module.css';
import { keyed } from '../parts/view';
import { useWords } from '../services';
import styles from './debugger.module.css';

interface RestartsProps {
  restarts: readonly Restart[];
  engine: EngineName;
  isDisabled: boolean;
  /** The restart whose form is open. */
  openRestart: number | null;
  onOpen: (restart: number | null) => void;
  onRestart: (restart: number) => void;
  /** Returns an error message about the forms, or null. */
  onRestartWith: (forms: readonly string[], restart: number) => Promise<string | null>;
  onStep: (way: StepMode) => void;
}

/** The restarts of the stepper. */
const STEPS: readonly (readonly [name: string, way: StepMode])[] = [
  ['STEP-INTO', 'into'],
  ['STEP-NEXT', 'over'],
  ['STEP-OUT', 'out'],
];

export function Restarts({
  restarts,
  isDisabled,
  openRestart,
  onOpen,
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
              aria-expanded={names.length > 0 ? openRestart === index : undefined}
              onClick={() =>
                names.length > 0 ? onOpen(openRestart === index ? null : index) : onRestart(index)
              }
            >
              <kbd aria-hidden>{index}</kbd>
              <span className={styles.name}>{names.length > 0 ? `${bare(name)}…` : bare(name)}</span>
              <span className={styles.description} lang="en">
                {description}
              </span>
            </button>
            {openRestart === index && (
              <FormFields
                label={words.debug.argumentsOf(bare(name))}
                names={names}
                verb={bare(name)}
                onSubmit={(forms) => onRestartWith(forms, index)}
                onClose={() => onOpen(null)}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Removes the package prefix. */
function bare(name: string): string {
  return name.replace(/^.*:/, '');
}

// A form with one field for each Lisp form: arguments of a restart, or values to return.

interface FormFieldsProps {
  label: string;
  /** The purpose of each field. The name `values` allows any number of fields. */
  names: readonly string[];
  /** The label of the button. */
  verb: string;
  /** Returns an error message about the forms, or null. */
  onSubmit: (forms: string[]) => Promise<string | null>;
  /** Called when the form is cancelled or done. */
  onClose: () => void;
}

export function FormFields({ label, names, verb, onSubmit, onClose }: FormFieldsProps) {
  const words = useWords();
  const [forms, setForms] = useState<readonly string[]>(() => names.map(() => ''));
  const [problem, setProblem] = useState<string | null>(null);
  const isOpenEnded = names.length === 1 && names[0] === 'values';
  const nameOf = (place: number) =>
    isOpenEnded ? words.debug.valueAt(place + 1) : (names[place] ?? words.debug.value);
  const change = (changed: readonly string[]) => {
    setForms(changed);
    setProblem(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = await onSubmit(forms.filter((form) => form.trim() !== ''));
    if (wrong === null) onClose();
    else setProblem(wrong);
  };
  return (
    <form
      aria-label={label}
      className={styles.forms}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {keyed(forms).map(({ key, item }, place) => (
        <TextField
          key={key}
          aria-label={nameOf(place)}
          value={item}
          isInvalid={problem !== null}
          onChange={(text) => change(forms.map((form, at) => (at === place ? text : form)))}
          autoFocus={place === forms.length - 1}
        >
          <Input
            className={fields.text ?? ''}
            placeholder={words.debug.form(nameOf(place))}
            spellCheck={false}
          />
        </TextField>
      ))}
      {isOpenEnded && (
        <IconButton icon={Plus} label={words.debug.anotherValue} onPress={() => change([...forms, ''])} />
      )}
      <Button kind="primary" type="submit">
        {verb}
      </Button>
      <IconButton icon={X} label={words.common.cancel} onPress={onClose} />
      {problem !== null && (
        <p role="alert" className={styles.wrong} lang="en">
          {problem}
        </p>
      )}
    </form>
  );
}
