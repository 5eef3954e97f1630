/** What the sampler saw of an evaluation, its CPU or allocation profile: stacks as a flame graph, functions as a table. */
import { useState } from 'react';
import type { SampledFunction, SampledProfile, SampleShare } from '../../electron/contract/cost';
import { Button } from '../parts/button';
import { count } from '../parts/format';
import { FlameGraph } from './flame-graph';
import styles from './sampler-result.module.css';

/** Functions shown until all are asked for. */
const SHOWN = 12;

export const SAMPLER_TITLES: Readonly<Record<SampledProfile['mode'], string>> = {
  cpu: 'CPU profile',
  alloc: 'Allocation profile',
};

export function SamplerResult({ profile }: { profile: SampledProfile }) {
  const { samples, functions, folded, omitted } = profile;
  const [whole, setWhole] = useState(false);
  const shown = whole ? functions : functions.slice(0, SHOWN);
  return (
    <div className={styles.result}>
      <FlameGraph folded={folded} root={count(samples, 'sample')} />
      {omitted.stacks > 0 && (
        <p className={styles.aside}>
          {count(omitted.stacks, 'stack')} with {count(omitted.samples, 'sample')} are not drawn: there was no
          room to keep them.
        </p>
      )}
      <FunctionTable functions={shown} />
      {shown.length < functions.length && (
        <div>
          <Button onPress={() => setWhole(true)}>Show all {count(functions.length, 'function')}</Button>
        </div>
      )}
    </div>
  );
}

function FunctionTable({ functions }: { functions: readonly SampledFunction[] }) {
  return (
    <table className={styles.functions} aria-label="Busiest functions">
      <thead>
        <tr>
          <th scope="col">Self</th>
          <th scope="col">Total</th>
          <th scope="col">Function</th>
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
  return <td title={count(samples, 'sample')}>{percent.toFixed(1)} %</td>;
}
