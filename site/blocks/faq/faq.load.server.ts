import type { CompleteBlock } from '../complete-block.server.ts';

export const completeFaq: CompleteBlock<'faq'> = ({ title, items, content }, { ids }) => ({
  title,
  items: ids.questions(items),
  content: ids.text(content),
});
