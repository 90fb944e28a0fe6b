import { block } from '../../../shared/content/descriptions.ts';

/** The networks are those of the footer, so `landing.type.ts` has the field. */
export const subscribe = block('subscribe', {
  label: 'Block “Subscribe”',
  noun: 'a block of social networks',
});
