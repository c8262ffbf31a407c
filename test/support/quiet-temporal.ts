import { DefaultLogger, Runtime } from '@temporalio/worker';

// Before anything else starts the SDK's runtime: its own lines say nothing about a test that passes.
Runtime.install({ logger: new DefaultLogger('ERROR') });
