export type RegistryFault =
  | 'unreachable' // no connection, or no answer in time
  | 'failure' // an answer that says so
  | 'nonsense' // an answer that cannot be read
  | 'refused'; // our credential or our request is at fault: to try again is no use

/** The registry gave no usable answer. The message holds no number and nothing that the registry wrote. */
export class RegistryError extends Error {
  override name = 'RegistryError';
  readonly fault: RegistryFault;

  constructor(fault: RegistryFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
