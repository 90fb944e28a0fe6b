import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isPopulated, servedType } from '../../server/wire/described-types.ts';
import { entryOf, isObject, unwrap } from '../../server/wire/wire.ts';
import { descriptions } from '../../shared/content/content-types.ts';
import { componentOf, type FieldDescription, isComponentOrJson } from '../../shared/content/descriptions.ts';
import { sendJson } from './fake-backend.ts';
import { close, listen } from './listen.ts';
import { startSampleBackend } from './sample-site.ts';

/** The form in which a backend holds a value: as JSON, in components, or not at all. */
export type Form = 'json' | 'component' | 'absent';

export interface ComponentBackend {
  url: string;
  /** Decoded calls so far. */
  calls: string[];
  callsTo(path: string): string[];
  close(): Promise<void>;
}

/** Names of all fields that may be components. */
export const COMPONENT_FIELDS: readonly string[] = [
  ...new Set(
    Object.values(descriptions).flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, field]) => (isComponentOrJson(field) ? [name] : [])),
    ),
  ),
];

/**
 * Starts a backend with the sample content that is as strict as Strapi 5. It refuses to populate JSON, and
 * sends components only if they are populated.
 * @param formOf the form of each field that may be a component
 * @param shape `flat` is the shape of Strapi 5
 */
export async function startComponentBackend(
  formOf: (field: string, path: string) => Form,
  shape: 'flat' | 'v4' = 'v4',
): Promise<ComponentBackend> {
  const sample = await startSampleBackend();
  const calls: string[] = [];
  const answers = new Set<Promise<void>>();
  const server = createServer((req, res) => {
    const answering = answerTo(req, res).finally(() => answers.delete(answering));
    answers.add(answering);
  });
  const answerTo = async (req: IncomingMessage, res: ServerResponse) => {
    const url = new URL(req.url ?? '/', sample.url);
    const [, , path = ''] = url.pathname.split('/');
    const call = decodeURIComponent(url.pathname + url.search);
    calls.push(call);
    const type = url.pathname.startsWith('/api/') ? servedType(path) : null;
    if (!type) return void res.writeHead(404).end();
    const fields = Object.entries(type.fields).flatMap(([name, field]) =>
      isComponentOrJson(field) ? [name] : [],
    );
    const populated = fields.filter(field => call.includes(`populate[${field}]`));
    const populatesAll = call.includes('populate=*');
    const refused = populated.find(field => formOf(field, path) !== 'component');
    if (refused) {
      const error = { status: 400, name: 'ValidationError', message: `Invalid key ${refused}` };
      return sendJson(res, 400, { data: null, error });
    }
    const headers = shape === 'v4' ? { 'Strapi-Response-Format': 'v4' } : {};
    const answer = await fetch(url, { headers });
    const body: unknown = await answer.json();
    const unsent = fields.filter(
      field =>
        formOf(field, path) === 'absent' ||
        (formOf(field, path) === 'component' && !populated.includes(field) && !populatesAll),
    );
    for (const row of [unwrap(body)].flat()) {
      const { attributes = {} } = (isObject(row) && entryOf(row)) || {};
      for (const field of unsent) delete attributes[field];
      // Strapi populates one level.
      for (const field of populatesAll ? fields : [])
        if (formOf(field, path) === 'component')
          attributes[field] = withoutInner(type.fields[field], attributes[field]);
    }
    sendJson(res, answer.status, body);
  };
  const url = await listen(server);
  return {
    url,
    calls,
    callsTo: path => calls.filter(call => call.split('?', 1)[0] === path),
    async close() {
      await close(server);
      // A site that closes does not wait for its calls. They still ask the sample.
      await Promise.all(answers);
      await sample.close();
    },
  };
}

/** @returns the components of a field without the inner parts that a query would have to populate. */
function withoutInner(field: FieldDescription | undefined, value: unknown): unknown {
  const component = field && componentOf(field);
  if (!component) return value;
  const inner = Object.entries(component.fields).flatMap(([name, description]) =>
    isPopulated(description) ? [name] : [],
  );
  const plain = (row: unknown) =>
    isObject(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => !inner.includes(name))) : row;
  return Array.isArray(value) ? value.map(plain) : plain(value);
}
