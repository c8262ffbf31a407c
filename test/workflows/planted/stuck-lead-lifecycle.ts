/** Fails every task, as a release does whose workflow code is broken. */
export function LeadLifecycle(): Promise<never> {
  throw new TypeError('Planted.');
}
