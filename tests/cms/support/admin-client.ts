import { TYPE_LABELS } from '../../../build/cms/labels.ts';
import { type ContentTypeName, contentTypes } from '../../../shared/content/content-types.ts';

/** One entry as the panel gets it. */
export type AdminEntry = Record<string, unknown> & { documentId: string };

/** Calls of the admin panel, which an editor's clicks make. */
export interface AdminClient {
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** A call with a form, such as one of the media library. */
  send(method: string, path: string, form?: FormData): Promise<unknown>;
  /** All entries of a collection. */
  list(type: ContentTypeName): Promise<AdminEntry[]>;
  /** Saves changed fields. Drafts of types that have drafts stay drafts. */
  save(type: ContentTypeName, documentId: string | null, fields: Record<string, unknown>): Promise<void>;
  /** Saves changed fields, and publishes the entry if its type has drafts: the public site shows the change. */
  publish(type: ContentTypeName, documentId: string | null, fields: Record<string, unknown>): Promise<void>;
}

/** Signs in as an administrator. */
export async function signIn(url: string, email: string, password: string): Promise<AdminClient> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const login = await fetch(`${url}/admin/login`, { ...post, body: JSON.stringify({ email, password }) });
  const { data } = (await login.json()) as { data: { token: string } };

  const authorization = `Bearer ${data.token}`;
  const call: AdminClient['call'] = (method, path, body) =>
    answerTo(method, path, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  async function answerTo(method: string, path: string, options: RequestInit): Promise<unknown> {
    const answer = await fetch(`${url}${path}`, { method, ...options });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} ${answer.status} ${text.slice(0, 500)}`);
    return text === '' ? null : JSON.parse(text);
  }
  const addressOf = (type: ContentTypeName, documentId: string | null) => {
    const uid = `api::${type}.${type}`;
    return contentTypes[type].storage === 'single'
      ? `/content-manager/single-types/${uid}`
      : `/content-manager/collection-types/${uid}/${documentId}`;
  };
  const save: AdminClient['save'] = async (type, documentId, fields) => {
    await call('PUT', addressOf(type, documentId), fields);
  };
  return {
    call,
    send: (method, path, form) =>
      answerTo(method, path, { headers: { authorization }, ...(form ? { body: form } : {}) }),
    save,
    async list(type) {
      const path = `/content-manager/collection-types/api::${type}.${type}?pageSize=100`;
      return ((await call('GET', path)) as { results: AdminEntry[] }).results;
    },
    async publish(type, documentId, fields) {
      if (!TYPE_LABELS[type]?.drafts) return save(type, documentId, fields);
      await call('POST', `${addressOf(type, documentId)}/actions/publish`, fields);
    },
  };
}
