import { block } from '../../../shared/content/descriptions.ts';

/** Has no fields: its social networks are also in the footer, so they are a field of `landing.type.ts`. */
export const subscribe = block('subscribe', {
  label: 'Block “Subscribe”',
  noun: 'a block of social networks',
});
