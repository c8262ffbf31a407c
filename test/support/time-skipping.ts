import './quiet-temporal.ts';
import process from 'node:process';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createTimeSkippingEnvironment } from '../../dev/temporal/time-skipping.ts';

/** A time-skipping server of the test's own; `await environment.teardown()` afterwards. */
export function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  // eslint-disable-next-line no-restricted-properties -- where to find the server, as a process would
  return createTimeSkippingEnvironment(process.env);
}
