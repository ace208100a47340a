// Writes the bundle of the workflows, which the worker reads at its start.
import { readWorkflowBundle } from '../../../worker/workflowBundle.ts';

await readWorkflowBundle();
