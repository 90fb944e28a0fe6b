import { section } from '../../shared/content/descriptions.ts';
import { href, text } from '../components.ts';

export const quote = section('quote', {
  label: 'Quotation',
  noun: 'a quotation',
  fields: {
    text: { ...text, orElse: ['body', 'quote'] },
    name: { kind: 'text', label: 'Name', orElse: ['title', 'author'] },
    position: { kind: 'text', label: 'Position', hint: 'Such as “Head of payouts”' },
    href: { ...href, orElse: ['url'] },
  },
  read({ text: quotation, name, position, href: address }, { richText, words, text: plain, element }) {
    const shown = richText(quotation);
    if (shown.length === 0) return [];
    const source = [words(name), words(position)].filter(word => word !== null).join(', ');
    if (source === '' && address === undefined) return [element('blockquote', shown)];
    const cited =
      address === undefined
        ? plain(source)
        : element('a', [plain(source || String(address))], { href: String(address) });
    return [element('blockquote', [...shown, element('p', [element('cite', [cited])])])];
  },
});
