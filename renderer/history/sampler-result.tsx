/** What the sampler saw of an evaluation, its CPU or allocation profile: stacks as a flame graph, functions as a table. */
import { useState } from 'react';
import type { SampledFunction, SampledProfile, SampleShare } from '../../electron/contract/cost';
import { Button } from '../parts/button';
import { useWords } from '../services';
import { FlameGraph } from './flame-graph';
import styles from './sampler-result.module.css';

/** Functions shown until all are asked for. */
const SHOWN = 12;

export function SamplerResult({ profile }: { profile: SampledProfile }) {
  const words = useWords();
  const { samples, functions, folded, omitted } = profile;
  const [whole, setWhole] = useState(false);
  const shown = whole ? functions : functions.slice(0, SHOWN);
  return (
    <div className={styles.result}>
      <FlameGraph folded={folded} root={words.entry.samples(samples)} />
      {omitted.stacks > 0 && (
        <p className={styles.aside}>{words.entry.undrawn(omitted.stacks, omitted.samples)}</p>
      )}
      <FunctionTable functions={shown} />
      {shown.length < functions.length && (
        <div>
          <Button onPress={() => setWhole(true)}>{words.entry.showAll(functions.length)}</Button>
        </div>
      )}
    </div>
  );
}

function FunctionTable({ functions }: { functions: readonly SampledFunction[] }) {
  const words = useWords();
  return (
    <table className={styles.functions} aria-label={words.entry.busiest}>
      <thead>
        <tr>
          <th scope="col">{words.entry.self}</th>
          <th scope="col">{words.entry.total}</th>
          <th scope="col">{words.entry.function}</th>
        </tr>
      </thead>
      <tbody>
        {functions.map(({ name, self, total }) => (
          <tr key={name}>
            <Share share={self} />
            <Share share={total} />
            <th scope="row" title={name}>
              {name}
            </th>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Share({ share: { samples, percent } }: { share: SampleShare }) {
  const words = useWords();
  return <td title={words.entry.samples(samples)}>{percent.toFixed(1)} %</td>;
}
