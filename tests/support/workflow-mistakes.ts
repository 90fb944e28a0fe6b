import { registerHooks } from 'node:module';

const parser = await importParser();

/** @returns the mistakes that GitHub's parser finds in a workflow. */
export function mistakesIn(name: string, content: string): readonly string[] {
  const { context } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/** The package imports JSON without the attribute that Node demands. */
async function importParser() {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  });
  try {
    return await import('@actions/workflow-parser');
  } finally {
    hooks.deregister();
  }
}
