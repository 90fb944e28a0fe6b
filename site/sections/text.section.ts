import { section } from '../../shared/content/descriptions.ts';

export const text = section('text', {
  label: 'Text',
  noun: 'a text',
  fields: { body: { kind: 'rich-text', label: 'Text', orElse: ['text', 'content'] } },
  read: ({ body }, { richText }) => richText(body),
});
