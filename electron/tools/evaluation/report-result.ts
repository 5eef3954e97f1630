/** What an evaluation loaded and tested, and its CPU profile, cut to what one result may carry; failures come before anything else. */
import type { LoadFailure, Report, TestFailure, TestRun } from '../../contract/report';
import type { Allowance } from '../allowance';
import { fittingFinalCheck } from '../prover/final-check-result';
import { fittingProof } from '../prover/proof-result';
import { fittingSampledProfile } from './sampled-profile-result';

/** @param limit longest single text, in characters */
export function fittingReport(report: Report, limit: number, allowance: Allowance): Report {
  return {
    ...(report.finalCheck ? { finalCheck: fittingFinalCheck(report.finalCheck, limit, allowance) } : {}),
    ...(report.proof ? { proof: fittingProof(report.proof, limit, allowance) } : {}),
    failures: allowance.first(report.failures, 'failures to load', (failure) =>
      fittingFailure(failure, limit, allowance),
    ),
    runs: allowance.first(report.runs, 'test runs', (run) => fittingRun(run, limit, allowance)),
    loaded: allowance.first(report.loaded, 'loaded systems', (system) => allowance.head(system, limit)),
    ...(report.profile ? { profile: fittingSampledProfile(report.profile, limit, allowance) } : {}),
  };
}

function fittingFailure(failure: LoadFailure, limit: number, allowance: Allowance): LoadFailure {
  return { ...failure, message: allowance.head(failure.message, limit) };
}

function fittingRun(run: TestRun, limit: number, allowance: Allowance): TestRun {
  return {
    ...run,
    failures: allowance.first(run.failures, 'failures of tests', (failure) =>
      fittingTestFailure(failure, limit, allowance),
    ),
    tests: allowance.first(run.tests, 'names of tests', (test) => allowance.head(test, limit)),
  };
}

function fittingTestFailure(failure: TestFailure, limit: number, allowance: Allowance): TestFailure {
  const { form, expected, actual } = failure;
  return {
    ...failure,
    reason: allowance.head(failure.reason, limit),
    ...(form === undefined ? {} : { form: allowance.head(form, limit) }),
    ...(expected === undefined ? {} : { expected: allowance.head(expected, limit) }),
    ...(actual === undefined ? {} : { actual: allowance.head(actual, limit) }),
  };
}
