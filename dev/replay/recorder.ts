import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';
import { getActivator } from '@temporalio/workflow/lib/global-attributes.js';

export type Command = Parameters<ReturnType<typeof getActivator>['pushCommand']>[0];

export interface RecorderSinks extends Sinks {
  recorder: {
    activated(): void;
    localActivityResolved(seq: number): void;
    command(command: Command, issuedAt: Error): void;
  };
}

/**
 * Part of the replay's bundle only: hands the replay each command that workflow code issues, with the stack
 * that it comes from. The workflow does not notice, so that it replays as it does without.
 */
export function interceptors(): WorkflowInterceptors {
  const { recorder } = proxySinks<RecorderSinks>();
  const activator = getActivator();
  const pushCommand = activator.pushCommand.bind(activator);
  let continuedAt: Error | undefined; // the command is issued later, when the error has left the workflow
  activator.pushCommand = (command, complete) => {
    const issuedAt = command.continueAsNewWorkflowExecution ? continuedAt : undefined;
    recorder.command(command, issuedAt ?? new Error('issued here'));
    pushCommand(command, complete);
  };
  return {
    outbound: [
      {
        continueAsNew(input, next) {
          continuedAt = new Error('continued here');
          return next(input);
        },
      },
    ],
    internals: [
      {
        activate(input, next) {
          recorder.activated();
          for (const { resolveActivity } of input.activation.jobs ?? [])
            if (resolveActivity?.isLocal) recorder.localActivityResolved(resolveActivity.seq ?? 0);
          next(input);
        },
      },
    ],
  };
}
