import { type ContentTypeName, contentTypes } from '../../../shared/content/content-types.ts';

/** An entry as the panel gets it. */
export type AdminEntry = Record<string, unknown> & { documentId: string };

/** Response to a call that the CMS may refuse. */
export interface Attempt {
  status: number;
  /** The error message that the panel shows, or null for an accepted call. */
  sentence: string | null;
  /** Fields below which the panel repeats the error message. */
  fields: string[];
}

/** Calls that the admin panel makes when an editor clicks. */
export interface AdminClient {
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Makes a call that may be refused. */
  attempt(method: string, path: string, body?: unknown): Promise<Attempt>;
  /** Makes a call with a form, such as one of the media library. */
  send(method: string, path: string, form?: FormData): Promise<unknown>;
  /** @returns all entries of a collection. */
  list(type: ContentTypeName): Promise<AdminEntry[]>;
  /** Creates an entry of a collection, as a draft if its type has drafts. @returns its document id. */
  create(type: ContentTypeName, fields: Record<string, unknown>): Promise<string>;
  /** Deletes an entry of a collection. */
  remove(type: ContentTypeName, documentId: string): Promise<void>;
  /** Saves changed fields. Drafts stay drafts. */
  save(type: ContentTypeName, documentId: string | null, fields: Record<string, unknown>): Promise<void>;
  /**
   * Saves changed fields, and publishes the entry if its type has drafts. The public site shows the change.
   */
  publish(type: ContentTypeName, documentId: string | null, fields: Record<string, unknown>): Promise<void>;
}

/** Signs in as an administrator. */
export async function signIn(url: string, email: string, password: string): Promise<AdminClient> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const login = await fetch(`${url}/admin/login`, { ...post, body: JSON.stringify({ email, password }) });
  const { data } = (await login.json()) as { data: { token: string } };

  const authorization = `Bearer ${data.token}`;
  const withJson = (body: unknown): RequestInit => ({
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const call: AdminClient['call'] = (method, path, body) => answerTo(method, path, withJson(body));
  async function answerTo(method: string, path: string, options: RequestInit): Promise<unknown> {
    const answer = await fetch(`${url}${path}`, { method, ...options });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} ${answer.status} ${text.slice(0, 500)}`);
    return text === '' ? null : JSON.parse(text);
  }
  const collection = (type: ContentTypeName) => `/content-manager/collection-types/api::${type}.${type}`;
  const addressOf = (type: ContentTypeName, documentId: string | null) =>
    contentTypes[type].storage === 'single'
      ? `/content-manager/single-types/api::${type}.${type}`
      : `${collection(type)}/${documentId}`;
  const save: AdminClient['save'] = async (type, documentId, fields) => {
    await call('PUT', addressOf(type, documentId), fields);
  };
  return {
    call,
    async attempt(method, path, body) {
      const answer = await fetch(`${url}${path}`, { method, ...withJson(body) });
      const text = await answer.text();
      if (answer.ok) return { status: answer.status, sentence: null, fields: [] };
      const { error } = JSON.parse(text) as {
        error: { message: string; details?: { errors?: { path: string[] }[] } };
      };
      const fields = error.details?.errors?.map(({ path }) => path.join('.')) ?? [];
      return { status: answer.status, sentence: error.message, fields };
    },
    send: (method, path, form) =>
      answerTo(method, path, { headers: { authorization }, ...(form ? { body: form } : {}) }),
    save,
    async create(type, fields) {
      const { data } = (await call('POST', collection(type), fields)) as { data: AdminEntry };
      return data.documentId;
    },
    async remove(type, documentId) {
      await call('DELETE', addressOf(type, documentId));
    },
    async list(type) {
      const { results } = (await call('GET', `${collection(type)}?pageSize=100`)) as {
        results: AdminEntry[];
      };
      return results;
    },
    async publish(type, documentId, fields) {
      if (!('drafts' in contentTypes[type])) return save(type, documentId, fields);
      await call('POST', `${addressOf(type, documentId)}/actions/publish`, fields);
    },
  };
}
