import type { CompleteBlock } from '../complete-block.server.ts';

export const completeFaq: CompleteBlock<'faq'> = ({ title, picture, items, content }, { ids }) => ({
  title,
  picture,
  items: ids.questions(items),
  content: ids.text(content),
});
